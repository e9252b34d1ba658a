import { type Incoming, jsonAnswer, type Outgoing } from './exchange.ts'
import { Problem } from './problem.ts'

/** The decoded parameters of a path. */
export type PathParams = Readonly<Record<string, string>>

/** A row of the table of calls, with its handler. */
export interface RouteEntry {
  readonly method: string
  /** The path as in the contract: `/workflows/{workflow_id}`. */
  readonly path: string
  readonly answer: (incoming: Incoming, params: PathParams) => Promise<Outgoing>
}

/** A path of the table, with the handlers of its methods. */
interface Place {
  readonly path: string
  readonly match: (path: string) => PathParams | undefined
  readonly byMethod: ReadonlyMap<string, RouteEntry['answer']>
  readonly allowed: readonly string[]
}

/** Passes a request to its handler. Answers 405 if the path is known but not the method. */
export type RequestRouter = (incoming: Incoming) => Promise<Outgoing> | undefined

/** Creates the router of a table of calls. It returns undefined for a path that is not in the table. */
export function routerOf(table: readonly RouteEntry[]): RequestRouter {
  const places = [...new Set(table.map(({ path }) => path))].map((path) => placeOf(path, table))
  return (incoming) => {
    for (const place of places) {
      const params = place.match(incoming.path)
      if (!params) continue
      const answer = place.byMethod.get(incoming.method)
      return answer ? answer(incoming, params) : Promise.resolve(notAllowed(incoming.method, place))
    }
    return undefined
  }
}

function placeOf(path: string, table: readonly RouteEntry[]): Place {
  const here = table.filter((route) => route.path === path)
  // HEAD answers as GET does, without the body (RFC 9110 section 9.3.2).
  const routes = here.flatMap((route) => (route.method === 'GET' ? [route, { ...route, method: 'HEAD' }] : [route]))
  return {
    path,
    match: matcherOf(path),
    byMethod: new Map(routes.map(({ method, answer }) => [method, answer])),
    allowed: routes.map(({ method }) => method),
  }
}

const param = /\{(\w+)\}/g

/** Returns a function that reads the parameters of a path as in the contract; undefined if a path is another one. */
export function matcherOf(path: string): (asked: string) => PathParams | undefined {
  const pattern = new RegExp(`^${path.replaceAll(param, '([^/]+)')}$`)
  const names = [...path.matchAll(param)].map(([, name = '']) => name)
  return (asked) => {
    const found = pattern.exec(asked)
    if (!found) return undefined
    const params: Record<string, string> = {}
    names.forEach((name, index) => {
      params[name] = decode(found[index + 1] ?? '')
    })
    return params
  }
}

/** Returns a path of the contract with its parameters, encoded. */
export function pathWith(path: string, read: (name: string) => string): string {
  return path.replaceAll(param, (_, name: string) => encodeURIComponent(read(name).toWellFormed()))
}

/** Decodes percent-encoding. Returns malformed text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Answers OPTIONS with the allowed methods, and any other method with 405 (RFC 9110 section 15.5.6). */
function notAllowed(method: string, { path, allowed }: Place): Outgoing {
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return jsonAnswer(204, undefined, headers)
  const detail = `${method} is not allowed at ${path}. Use ${allowed.join(' or ')}.`
  return new Problem('method-not-allowed', detail, { headers }).toOutgoing()
}
