import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'

let browser: Promise<Browser> | undefined

/** Returns the browser of all tests of this worker, which ends with it. `evil.example` is a name of this machine, as after DNS rebinding. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchChromium(['--host-resolver-rules=MAP evil.example 127.0.0.1'])
  return browser
}

/** A page with its requests and its errors. */
export interface WatchedPage {
  readonly page: Page
  /** Addresses that the page and its workers requested. */
  readonly requests: string[]
  /** Console errors and warnings, and uncaught errors. */
  readonly complaints: string[]
}

/** Opens a page in a profile of its own, which is closed when the test ends. */
export async function openWatchedPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await (await sharedBrowser()).newContext(options)
  onTestFinished(() => context.close())
  return watchedPage(context)
}

/** Opens a page in a profile. */
export async function watchedPage(context: BrowserContext): Promise<WatchedPage> {
  const requests: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  const page = await context.newPage()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, requests, complaints }
}

/** Returns true if an address leads to this machine or into the page itself. */
export function staysHere(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return ['data:', 'blob:', 'about:'].includes(protocol) || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** The sizes of the windows of a desktop and of a phone. */
export const sizes: readonly [ViewportSize, ViewportSize] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/** Returns true if a page is wider than its window. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Opens all details of a page. */
export const unfold = (page: Page): Promise<void> =>
  page.locator('details').evaluateAll((all) => {
    for (const details of all as HTMLDetailsElement[]) details.open = true
  })
