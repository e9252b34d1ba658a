import { type AdminGuardOptions, guardConsole } from '../http/admin/admin-guard.ts'
import type { App, HeaderList, Incoming, Outgoing } from '../wire/exchange.ts'
import { readyAnswer } from '../wire/paths.ts'
import { Problem } from '../wire/problem.ts'
import { staticFiles } from './static-files.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ')

const headers: HeaderList = [
  ['Content-Security-Policy', policy],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Vary', 'Accept'],
]

/**
 * Serves the console from a folder: its page at `/` to clients that accept HTML, and its script and style under `/__console/`.
 * Passes all other requests to `next`.
 */
export function withConsole(folder: string, trusted: AdminGuardOptions, next: App): App {
  const find = staticFiles(folder, types)
  const answer = async (name: string, incoming: Incoming): Promise<Outgoing> => {
    try {
      guardConsole(incoming, trusted)
    } catch (error) {
      if (incoming.path === '/' && error instanceof Problem) return readyAnswer(error.message)
      throw error
    }
    const file = find(name)
    if (!file) return next(incoming)
    // The names of scripts and styles have the digest of their content.
    const caching = name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable'
    return {
      status: 200,
      headers: [['Content-Type', file.type], ['Cache-Control', caching], ...headers],
      body: file.body,
    }
  }
  return (incoming) => {
    const name = fileOf(incoming)
    return name === undefined ? next(incoming) : answer(name, incoming)
  }
}

/** Returns the file of the console that a request asks for; undefined if none. */
function fileOf(incoming: Incoming): string | undefined {
  const { method, path } = incoming
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (path === '/') return incoming.header('accept')?.includes('text/html') ? 'index.html' : undefined
  return path.match(/^\/__console\/([\w-]+\.(js|css))$/)?.[1]
}
