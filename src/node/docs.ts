import type { App } from '../http/wire/exchange.ts'
import { staticFiles } from './static-files.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
}

/** Serves the files of a folder at `/docs/`, and passes all other requests to `next`. */
export function withDocs(folder: string, next: App): App {
  const find = staticFiles(folder, types)
  const answer: App = async (incoming) => {
    const { path } = incoming
    // Relative, so that it also works behind a proxy.
    if (path === '/docs') return { status: 308, headers: [['Location', 'docs/']] }
    const [, name] = path.match(/^\/docs\/([\w-][\w.-]*)?$/) ?? []
    const file = name === undefined && path !== '/docs/' ? undefined : find(name ?? 'index.html')
    if (!file) return next(incoming)
    return {
      status: 200,
      headers: [
        ['Content-Type', file.type],
        ['Cache-Control', 'no-cache'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: file.body,
    }
  }
  return (incoming) => {
    const { method, path } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && path.startsWith('/docs') ? answer(incoming) : next(incoming)
  }
}
