import { expect, test } from 'vitest'
import { staysHere } from '../support/browser.ts'
import { openedScript } from '../support/pages.ts'
import { freshKey, workflow } from '../support/service.ts'
import type {} from './pages/msw.ts'
import type {} from './pages/msw-progress.ts'
import type {} from './pages/persistence.ts'

test('the conformance suite passes in a page whose service is MSW’s worker', async () => {
  const { page, requests } = await openedScript('msw.ts', 'page')
  const keys = [freshKey(), freshKey()] as const
  const { checks } = await page.evaluate((given) => globalThis.page.conform(...given), keys)
  expect(checks.filter(({ verdict }) => !['pass', 'accepted', 'not-applicable'].includes(verdict))).toEqual([])
  expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(60)
  expect(requests.filter((address) => !staysHere(address))).toEqual([])
})

test('a file arrives byte for byte through the worker, and progress reaches its end', async () => {
  const { page } = await openedScript('msw.ts', 'page')
  const given = [freshKey(), 5_000_000] as const
  const { loaded, isSame } = await page.evaluate((all) => globalThis.page.upload(...all), given)
  expect(isSame).toBe(true)
  expect([loaded[0], loaded.at(-1)]).toEqual([0, 5_000_000])
})

test('with MSW’s interceptor, XMLHttpRequest reports the progress of an upload', async () => {
  const { page } = await openedScript('msw-progress.ts', 'uploads')
  const size = 300_000
  const given = [freshKey(), size] as const
  const { events, documentId } = await page.evaluate((all) => globalThis.uploads.put(...all), given)
  expect(documentId).toMatch(/^doc_/)
  expect(events).toEqual([`loadstart 0/${size}`, `progress ${size}/${size}`, `load ${size}/${size}`])
})

test('a page whose database was closed refuses one call, reads, and goes on', async () => {
  const { page, loaded } = await openedScript('persistence.ts', 'persistentPage')
  const key = freshKey()
  const call = (...args: Parameters<typeof globalThis.persistentPage.call>) =>
    page.evaluate((given) => globalThis.persistentPage.call(...given), args)
  const create = () => call(key, 'POST', '/api/v1/workflows', workflow())
  const count = async () => (await call(key, 'GET', '/__admin/workflows')).json.workflows.length
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
