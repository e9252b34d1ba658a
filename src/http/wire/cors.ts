import type { HeaderList, Incoming, Outgoing } from './exchange.ts'

const exposed = [
  'Access-Control-Expose-Headers',
  'ETag,Location,WWW-Authenticate,Retry-After,Preference-Applied',
] as const
/** The answer depends on the origin, so caches must store it per origin. */
const vary = ['Vary', 'Origin'] as const

/** Answers a preflight (gap.cors). Reflecting the requested headers covers `Authorization`, which `*` does not. */
export function answerPreflight(incoming: Incoming): Outgoing {
  const asked = incoming.header('access-control-request-headers')
  const headers: HeaderList = [
    allowOrigin(incoming),
    ['Access-Control-Allow-Methods', 'GET,HEAD,POST,PUT'],
    // In seconds.
    ['Access-Control-Max-Age', '600'],
    exposed,
  ]
  if (!asked) return { status: 204, headers: [...headers, vary] }
  const allowed = [
    'Access-Control-Allow-Headers',
    asked
      .split(',')
      .map((name) => name.trim())
      .join(','),
  ] as const
  return { status: 204, headers: [...headers, allowed, ['Vary', 'Origin, Access-Control-Request-Headers']] }
}

/** Adds the CORS headers that let a page on any origin read the answer, without credentials. */
export function withCors({ status, headers, body }: Outgoing, incoming: Incoming): Outgoing {
  const all = [...headers, allowOrigin(incoming), exposed, vary]
  return body === undefined ? { status, headers: all } : { status, headers: all, body }
}

/** Removes the CORS headers of a deployment, and its `Vary: Origin`: those of the mock take their place. */
export function withoutCors(answer: Outgoing): Outgoing {
  const isOther = ([name, value]: HeaderList[number]) =>
    !/^access-control-/i.test(name) && !(/^vary$/i.test(name) && /\borigin\b/i.test(value))
  return { ...answer, headers: answer.headers.filter(isOther) }
}

function allowOrigin(incoming: Incoming): HeaderList[number] {
  return ['Access-Control-Allow-Origin', incoming.header('origin') || '*']
}
