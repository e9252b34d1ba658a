import { type App, publicUrlOf } from '../wire/exchange.ts'
import { hasSamples, isPlainUrl, withServer } from './docs-marks.ts'
import { type StaticFile, staticFiles } from './static-files.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
}

/** The key of the samples. */
const exampleKey = 'test_demo'

/** Returns a function that puts the URL of the mock into a file. Answers share the memory of a file that was changed for the same URL. */
function samplesFor() {
  const changed = new Map<string, { readonly from: StaticFile; readonly url: string; readonly body: Uint8Array }>()
  return (name: string, from: StaticFile, url: string): Uint8Array => {
    // Clients choose the host.
    if (!hasSamples(name) || !isPlainUrl(url)) return from.body
    const last = changed.get(name)
    if (last?.from === from && last.url === url) return last.body
    const body = new TextEncoder().encode(withServer(new TextDecoder().decode(from.body), url, exampleKey))
    changed.set(name, { from, url, body })
    return body
  }
}

/** Serves the files of a folder at `/docs/`, with the URL of the mock in their samples, and passes all other requests to `next`. */
export function withDocs(folder: string, next: App): App {
  const find = staticFiles(folder, types)
  const bodyFor = samplesFor()
  const answer: App = async (incoming) => {
    const { path } = incoming
    // Relative, so that it also works behind a proxy.
    if (path === '/docs') return { status: 308, headers: [['Location', 'docs/']] }
    const name = path === '/docs/' ? 'index.html' : path.match(/^\/docs\/([\w-][\w.-]*)$/)?.[1]
    const file = name === undefined ? undefined : find(name)
    if (name === undefined || !file) return next(incoming)
    return {
      status: 200,
      headers: [
        ['Content-Type', file.type],
        ['Cache-Control', 'no-cache'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: bodyFor(name, file, publicUrlOf(incoming)),
    }
  }
  return (incoming) => {
    const { method, path } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && path.startsWith('/docs') ? answer(incoming) : next(incoming)
  }
}
