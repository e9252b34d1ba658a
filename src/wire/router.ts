import type { Endpoint, Incoming, PathParams } from './exchange.ts'

/** What a request asks for: a call with its parameters, or a path that has only other calls. */
export type Match<Call> =
  | { readonly route: Call; readonly params: PathParams }
  | { readonly route?: undefined; readonly others: readonly Call[]; readonly allowed: readonly string[] }

/** Finds the call of a request; undefined if its path is not in the table. */
export type EndpointRouter<Call> = (request: Pick<Incoming, 'method' | 'path'>) => Match<Call> | undefined

/** Creates the router of a table of calls. */
export function routerOf<Call extends Pick<Endpoint, 'method' | 'path' | 'match'>>(
  table: readonly Call[],
): EndpointRouter<Call> {
  const places = [...new Set(table.map(({ path }) => path))].map((path) => {
    const others = table.filter((call) => call.path === path)
    // HEAD answers as GET does, without the body (RFC 9110 section 9.3.2).
    const byMethod = new Map(
      others.flatMap((call) => (call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]).map((name) => [name, call])),
    )
    return { match: others[0]?.match ?? matcherOf(path), others, byMethod, allowed: [...byMethod.keys()] }
  })
  return ({ method, path }) => {
    for (const { match, others, byMethod, allowed } of places) {
      const params = match(path)
      if (!params) continue
      const route = byMethod.get(method)
      return route ? { route, params } : { others, allowed }
    }
    return undefined
  }
}

const param = /\{(\w+)\}/g

/** Returns a function that reads the parameters of a path as in the contract; undefined if a path is another one. */
function matcherOf(path: string): (asked: string) => PathParams | undefined {
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
