import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, openWatchedPage, staysHere, type WatchedPage } from '../support/chromium.ts'
import { bundlePage, mswWorker, type Pages, servePages } from '../support/pages.ts'
import { freshKey } from '../support/service.ts'
import type {} from './pages/msw.ts'

let browser: Browser
let pages: Pages
let watched: WatchedPage

beforeAll(async () => {
  browser = await launchChromium()
  pages = await servePages({ '/page.js': await bundlePage('msw.ts'), '/mockServiceWorker.js': mswWorker() })
  watched = await openWatchedPage(browser)
  await watched.page.goto(pages.url)
  await watched.page.waitForFunction(() => 'page' in globalThis)
})

afterAll(async () => {
  await browser.close()
  pages.close()
})

test('the conformance suite passes in a page whose service is MSW’s worker', async () => {
  const keys = [freshKey(), freshKey()] as const
  const { checks } = await watched.page.evaluate((given) => globalThis.page.conform(...given), keys)
  expect(checks.filter(({ verdict }) => !['pass', 'accepted', 'not-applicable'].includes(verdict))).toEqual([])
  expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(60)
  expect(watched.requests.filter((address) => !staysHere(address))).toEqual([])
})

test('a file arrives byte for byte through the worker, and progress reaches its end', async () => {
  const size = 5_000_000
  const key = freshKey()
  const { loaded, isSame } = await watched.page.evaluate(([apiKey, bytes]) => globalThis.page.upload(apiKey, bytes), [
    key,
    size,
  ] as const)
  expect(isSame).toBe(true)
  expect([loaded[0], loaded.at(-1)]).toEqual([0, size])
})
