import type { HeaderList, Incoming, Outgoing } from './exchange.ts'

/** What pages on other origins may do. */
export interface PageRights {
  /** True if a page may send cookies and other credentials that its browser keeps. */
  readonly credentials: boolean
}

/** Adds the CORS headers to an answer for a page on `origin`, or returns it unchanged if pages may not call. */
export type ForPages = (answer: Outgoing, origin: string | undefined) => Outgoing

// With credentials, browsers do not take `*` for all names (Fetch standard), so everything is named.
const exposed = [
  'Access-Control-Expose-Headers',
  'ETag,Location,WWW-Authenticate,Retry-After,Preference-Applied',
] as const
/** Also methods that answer 405, or a page would see a network error instead. */
const methods = ['Access-Control-Allow-Methods', 'DELETE,GET,HEAD,PATCH,POST,PUT'] as const
/** The answer depends on the origin, so caches must store it per origin. */
const vary = ['Vary', 'Origin'] as const

/** Returns true for a preflight. OPTIONS without its header asks for the allowed methods (RFC 9110 section 9.3.7). */
export function isPreflight({ method, header }: Incoming): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined
}

/** Answers a preflight (gap.cors). Reflecting the requested headers covers `Authorization`, which `*` does not. */
export function answerPreflight(incoming: Incoming, rights: PageRights): Outgoing {
  const asked = incoming.header('access-control-request-headers')
  const headers: HeaderList = [
    ...allowOrigin(incoming.header('origin'), rights),
    methods,
    // In seconds.
    ['Access-Control-Max-Age', '600'],
    exposed,
  ]
  if (!asked) return { status: 204, headers: [...headers, vary], isFinal: true }
  const allowed = [
    'Access-Control-Allow-Headers',
    asked
      .split(',')
      .map((name) => name.trim())
      .join(','),
  ] as const
  const varied = ['Vary', 'Origin, Access-Control-Request-Headers'] as const
  return { status: 204, headers: [...headers, allowed, varied], isFinal: true }
}

/** Adds the CORS headers that let a page on any origin read the answer. */
export function withCors(answer: Outgoing, origin: string | undefined, rights: PageRights): Outgoing {
  return { ...answer, headers: [...answer.headers, ...allowOrigin(origin, rights), exposed, vary] }
}

/** Removes the CORS headers of a deployment, and its `Vary: Origin`: those of the mock take their place. */
export function withoutCors(answer: Outgoing): Outgoing {
  const isOther = ([name, value]: HeaderList[number]) =>
    !/^access-control-/i.test(name) && !(/^vary$/i.test(name) && /\borigin\b/i.test(value))
  return { ...answer, headers: answer.headers.filter(isOther) }
}

function allowOrigin(origin: string | undefined, { credentials }: PageRights): HeaderList {
  const allowed = ['Access-Control-Allow-Origin', origin || '*'] as const
  return credentials && origin ? [allowed, ['Access-Control-Allow-Credentials', 'true']] : [allowed]
}
