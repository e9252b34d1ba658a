import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, openWatchedPage, type WatchedPage } from '../support/chromium.ts'
import { bundlePage, type Pages, servePages } from '../support/pages.ts'
import { freshKey, workflow } from '../support/service.ts'
import type {} from './pages/persistence.ts'

let browser: Browser
let pages: Pages
let watched: WatchedPage

beforeAll(async () => {
  browser = await launchChromium()
  pages = await servePages({ '/page.js': await bundlePage('persistence.ts') })
  watched = await openWatchedPage(browser)
  await watched.page.goto(pages.url)
})

afterAll(async () => {
  await browser.close()
  pages.close()
})

test('a page whose database was closed refuses one call, reads, and goes on', async () => {
  const { page } = watched
  const key = freshKey()
  const loaded = () => page.waitForFunction(() => 'persistentPage' in globalThis)
  const call = (...args: Parameters<typeof globalThis.persistentPage.call>) =>
    page.evaluate((given) => globalThis.persistentPage.call(...given), args)
  const create = () => call(key, 'POST', '/api/v1/workflows', workflow())
  const count = async () => (await call(key, 'GET', '/__admin/workflows')).json.workflows.length
  await loaded()
  expect((await create()).status).toBe(201)
  await page.evaluate(() => globalThis.persistentPage.closeDatabases())
  const refused = await create()
  expect([refused.status, refused.json.code]).toEqual([503, 'journal-unavailable'])
  expect(await count()).toBe(1)
  expect((await create()).status).toBe(201)
  await page.reload()
  await loaded()
  expect(await count()).toBe(2)
})
