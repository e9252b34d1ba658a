import { extname, join } from 'node:path'
import type { App, Incoming, Outgoing } from '../http/wire/exchange.ts'
import { readIfThere } from './read-if-there.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
}

/** Serves the files of a folder at `/docs/`, and passes all other requests to `next`. */
export function withDocs(folder: string, next: App): App {
  const answer = async (incoming: Incoming): Promise<Outgoing> => {
    const { path } = incoming
    // Relative, so that it also works behind a proxy.
    if (path === '/docs') return { status: 308, headers: [['Location', 'docs/']] }
    const [, name] = path.match(/^\/docs\/([\w-][\w.-]*)?$/) ?? []
    if (name === undefined && path !== '/docs/') return next(incoming)
    const body = await readIfThere(join(folder, name ?? 'index.html'))
    const type = types[extname(name ?? 'index.html')]
    if (!body || !type) return next(incoming)
    return {
      status: 200,
      headers: [
        ['Content-Type', type],
        ['Cache-Control', 'no-cache'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body,
    }
  }
  return (incoming) => {
    const { method, path } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && path.startsWith('/docs') ? answer(incoming) : next(incoming)
  }
}
