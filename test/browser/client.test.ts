import { expect, test } from 'vitest'
import { openedScript } from '../support/pages.ts'
import { freshKey } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'
import type {} from './pages/client.ts'

const mock = await sharedMock({ storagePort: 0 })

/** A page on another origin that uploads with the client; test/browser/example.test.ts has progress and aborts. */
async function opened() {
  const { page } = await openedScript('client.ts', 'upload')
  const key = freshKey()
  const upload = () => page.evaluate((given) => globalThis.upload(...given), [mock.url, key] as const)
  return { page, key, upload, events: () => mock.journal.read(key).map(({ type }) => type) }
}

test('storage that keeps failing is reported with its code', async () => {
  const { upload, key, events } = await opened()
  mock.setSettings({ faults: [{ operationId: 'putObject', probability: 1, status: 500 }] }, key)
  expect(await upload()).toBe('storage-error')
  expect(events()).toEqual(['UploadRequested'])
})

test('a lost network is reported as such', async () => {
  const { upload, page } = await opened()
  await page.route('**/storage/**', (route) => route.abort('connectionreset'))
  expect(await upload()).toBe('network-error')
})
