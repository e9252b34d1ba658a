import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A page's script, bundled as for any browser: a module of Node in it is an error. */
export async function bundled(page: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../browser/pages/${page}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** The worker script of MSW, as its command line copies it. */
export function mswWorker(): string {
  return readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')
}

export interface Pages {
  readonly url: string
  close(): void
}

/** Serves an empty page that loads `/page.js`, and scripts by their paths. */
export async function servePages(scripts: Readonly<Record<string, string>>): Promise<Pages> {
  const server = createServer(({ url = '/' }, response) => {
    const script = scripts[url.split('?')[0] ?? '']
    const type = script === undefined ? 'text/html' : 'text/javascript'
    const icon = '<link rel="icon" href="data:,">'
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` })
    response.end(script ?? `<!doctype html><title>Test</title>${icon}<script type="module" src="/page.js"></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, close: () => server.close() }
}
