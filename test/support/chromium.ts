import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The headless shell comes first: it needs half of the processor time. */
const names = [
  ...['chromium-headless-shell', 'chrome-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
]

/** Returns the path of Chromium: `CHROMIUM` in the environment, otherwise the first one on the path. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM) return env.CHROMIUM
  const folders = (env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts Chromium with an empty profile and without requests of its own. `args` are more flags of Chromium. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium is not on the path. Install it, or set CHROMIUM to its path.')
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
}

/** A page with its requests and its errors. */
export interface WatchedPage {
  readonly page: Page
  /** Addresses that the page and its workers requested. */
  readonly requests: string[]
  /** Console errors and warnings, and uncaught errors. */
  readonly complaints: string[]
}

/** Opens a page in a profile of its own. */
export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options)
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
