import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { openWatchedPage } from './browser.ts'
import { type Serving, serve } from './serve.ts'

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

const types: Readonly<Record<string, string>> = { '.html': 'html', '.js': 'javascript', '.css': 'css' }

/** Serves files by their paths at localhost, where service workers are allowed, and a page for `/`. */
function serveAtPaths(fileAt: (path: string) => string | undefined): Promise<Serving> {
  return serve(async ({ url }) => {
    const { pathname } = new URL(url)
    const path = pathname === '/' ? '/index.html' : pathname
    const file = fileAt(path)
    const type = `text/${types[extname(path)] ?? 'plain'}; charset=utf-8`
    return new Response(file, { status: file === undefined ? 404 : 200, headers: { 'Content-Type': type } })
  }, 'localhost')
}

const emptyPage =
  '<!doctype html><title>Test</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

/** Serves an empty page that loads `/page.js`, and scripts by their paths. */
export const servePages = (scripts: Readonly<Record<string, string>>) =>
  serveAtPaths((path) => (path === '/index.html' ? emptyPage : scripts[path]))

/** Serves a folder that was built for browsers, with changed scripts. */
export const serveFolder = (folder: string, change = (script: string) => script) =>
  serveAtPaths((path) => {
    const file = join(folder, path)
    if (!existsSync(file)) return undefined
    const text = readFileSync(file, 'utf8')
    return extname(file) === '.js' ? change(text) : text
  })

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
