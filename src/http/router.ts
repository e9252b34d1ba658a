import type { Hono } from 'hono'
import { Problem } from './problem.ts'

/** A row of a table of calls. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** A contract path as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Answers every other method at the paths of a table with 405, and OPTIONS with what is allowed (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(app: Hono, table: readonly Route[]): void {
  for (const path of new Set(table.map((row) => row.path))) {
    const allowed = table
      .filter((row) => row.path === path)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.all(routerPath(path), ({ req }) => notAllowed(req.method, path, allowed))
  }
}

function notAllowed(method: string, path: string, allowed: readonly string[]): Response {
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
  const detail = `Failed to route the request: because ${method} is not allowed at ${path}. Use ${allowed.join(' or ')}.`
  return new Problem('method-not-allowed', detail, { headers }).toResponse()
}

/** What a handler gives back, as an answer. */
export function toResponse(answer: {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}): Response {
  const { status, body, headers = {} } = answer
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}
