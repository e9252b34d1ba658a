import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { staysHere } from '../support/browser.ts'
import { openedScript } from '../support/pages.ts'
import { freshKey } from '../support/service.ts'
import type {} from './pages/client.ts'

let mock: RunningMock

beforeAll(async () => {
  mock = await startMock({ storagePort: 0 })
})

afterAll(async () => {
  await mock.close()
})

const size = 20_000_000

/** A page on its own origin whose uploads take about a second. */
async function opened() {
  const watched = await openedScript('client.ts', 'upload')
  const { page } = watched
  const devtools = await page.context().newCDPSession(page)
  const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000_000 }
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', limits)
  const key = freshKey()
  const upload = (bytes: number, abortAt?: number) =>
    page.evaluate((given) => globalThis.upload(...given), [mock.url, key, bytes, abortAt] as const)
  const events = () => mock.journal.read(key).map(({ type }) => type)
  return { ...watched, key, upload, events }
}

test('a page on another origin uploads 20 MB with progress that grows', async () => {
  const { upload, events, requests, complaints } = await opened()
  const { code, loaded } = await upload(size)
  expect([code, loaded[0], loaded.at(-1)]).toEqual(['uploaded', 0, size])
  expect(loaded.length).toBeGreaterThan(5)
  expect(loaded).toEqual([...loaded].sort((a, b) => a - b))
  expect(events()).toEqual(['UploadRequested', 'ObjectStored', 'UploadConfirmed'])
  expect(requests.filter((address) => !staysHere(address))).toEqual([])
  expect(complaints).toEqual([])
})

test('an upload that the page aborts half-way stores nothing', async () => {
  const { upload, events } = await opened()
  const { code, loaded } = await upload(size, size / 4)
  expect(code).toBe('aborted')
  expect(loaded.at(-1)).toBeLessThan(size)
  expect(events()).toEqual(['UploadRequested'])
})

test('storage that keeps failing is reported with its code', async () => {
  const { upload, key, events } = await opened()
  mock.setSettings({ faults: [{ operationId: 'putObject', probability: 1, status: 500 }] }, key)
  expect((await upload(1000)).code).toBe('storage-error')
  expect(events()).toEqual(['UploadRequested'])
})

test('a lost network is reported as such', async () => {
  const { upload, page } = await opened()
  await page.route('**/storage/**', (route) => route.abort('connectionreset'))
  expect((await upload(1000)).code).toBe('network-error')
})
