import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { openWatchedPage } from './browser.ts'

/** Bundles the script of a page for browsers. Throws if it imports a module of Node. */
export async function bundlePage(page: string): Promise<string> {
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

/** The service worker script of MSW, as its command line copies it. */
function mswWorker(): string {
  return readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')
}

export interface Pages {
  readonly url: string
  close(): void
}

/** Serves at localhost, where service workers are allowed. */
async function serve(answer: RequestListener): Promise<Pages> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}`, close: () => server.close() }
}

/** Serves an empty page that loads `/page.js`, and scripts by their paths. */
export function servePages(scripts: Readonly<Record<string, string>>): Promise<Pages> {
  return serve(({ url = '/' }, response) => {
    const script = scripts[url.split('?')[0] ?? '']
    const type = script === undefined ? 'text/html' : 'text/javascript'
    const icon = '<link rel="icon" href="data:,">'
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` })
    response.end(script ?? `<!doctype html><title>Test</title>${icon}<script type="module" src="/page.js"></script>`)
  })
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Serves a folder that was built for browsers, with changed scripts. */
export function serveFolder(folder: string, change: (script: string) => string = (script) => script): Promise<Pages> {
  return serve(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    try {
      const content = await readFile(join(folder, file))
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' })
      response.end(extname(file) === '.js' ? change(content.toString()) : content)
    } catch {
      response.writeHead(404).end()
    }
  })
}

/** Opens a page whose script sets a global variable, with MSW's worker beside it. Both end with the current test. */
export async function openedScript(script: string, variable: string) {
  const pages = await servePages({ '/page.js': await bundlePage(script), '/mockServiceWorker.js': mswWorker() })
  onTestFinished(pages.close)
  const watched = await openWatchedPage()
  const { page } = watched
  const loaded = () => page.waitForFunction((name) => name in globalThis, variable)
  await page.goto(pages.url)
  await loaded()
  return { ...watched, loaded }
}
