import { type Incoming, jsonAnswer, type Outgoing } from './exchange.ts'
import { Problem } from './problem.ts'

/** A row of the table of calls, with its handler. */
export interface RouteEntry {
  readonly method: string
  /** The path as in the contract: `/workflows/{workflow_id}`. */
  readonly path: string
  readonly answer: (incoming: Incoming, params: Readonly<Record<string, string>>) => Promise<Outgoing>
}

/** A path of the table, with the handlers of its methods. */
interface Place {
  readonly path: string
  readonly pattern: RegExp
  readonly names: readonly string[]
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
      const found = place.pattern.exec(incoming.path)
      if (!found) continue
      const answer = place.byMethod.get(incoming.method)
      return answer
        ? answer(incoming, paramsIn(found, place.names))
        : Promise.resolve(notAllowed(incoming.method, place))
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
    pattern: new RegExp(`^${path.replaceAll(param, '([^/]+)')}$`),
    names: [...path.matchAll(param)].map(([, name = '']) => name),
    byMethod: new Map(routes.map(({ method, answer }) => [method, answer])),
    allowed: routes.map(({ method }) => method),
  }
}

const param = /\{(\w+)\}/g

function paramsIn(found: RegExpExecArray, names: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  names.forEach((name, index) => {
    params[name] = decode(found[index + 1] ?? '')
  })
  return params
}

/** Decodes percent-encoding. Returns malformed text unchanged. */
function decode(text: string): string {
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
