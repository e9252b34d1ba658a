import { expect, test } from 'vitest'
import { launchChromium, openWatchedPage } from '../support/chromium.ts'
import { bundlePage, mswWorker, servePages } from '../support/pages.ts'
import { freshKey } from '../support/service.ts'
import type {} from './pages/msw-progress.ts'

test('with MSW’s interceptor, XMLHttpRequest reports the progress of an upload', async () => {
  const browser = await launchChromium()
  const pages = await servePages({
    '/page.js': await bundlePage('msw-progress.ts'),
    '/mockServiceWorker.js': mswWorker(),
  })
  try {
    const { page } = await openWatchedPage(browser)
    await page.goto(pages.url)
    await page.waitForFunction(() => 'uploads' in globalThis)
    const key = freshKey()
    const size = 300_000
    const { events, documentId } = await page.evaluate(([apiKey, bytes]) => globalThis.uploads.put(apiKey, bytes), [
      key,
      size,
    ] as const)
    expect(documentId).toMatch(/^doc_/)
    expect(events).toEqual([`loadstart 0/${size}`, `progress ${size}/${size}`, `load ${size}/${size}`])
  } finally {
    await browser.close()
    pages.close()
  }
})
