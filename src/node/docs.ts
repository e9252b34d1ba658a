import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Fetch } from '../http/app.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
}

/** Serves the files of a folder at `/docs/`; whatever is no file of it is left to the server behind. */
export function withDocs(folder: string, behind: Fetch): Fetch {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return behind(request)
    const { pathname } = new URL(request.url)
    // Relative, so that it leads to the right place behind a proxy too.
    if (pathname === '/docs') return new Response(null, { status: 308, headers: { Location: 'docs/' } })
    const [, name] = pathname.match(/^\/docs\/([\w-][\w.-]*)?$/) ?? []
    if (name === undefined && pathname !== '/docs/') return behind(request)
    const bytes = await readFile(join(folder, name ?? 'index.html')).catch(() => undefined)
    const type = types[extname(name ?? 'index.html')]
    if (!bytes || !type) return behind(request)
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }
    return new Response(request.method === 'HEAD' ? null : bytes, { headers })
  }
}
