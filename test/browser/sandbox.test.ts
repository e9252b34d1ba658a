/** Answers of others share their origin with the admin API, and run nothing there. */
import { expect, test } from 'vitest'
import type { StartOptions } from '../../src/node/start-mock.ts'
import { passOnTo } from '../../src/node/upstream.ts'
import { openWatchedPage } from '../support/browser.ts'
import { freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

/** An answer that calls the admin API by itself. */
const text = `<!doctype html><title>Attack</title><script>fetch('/__admin/reset', { method: 'POST' })</script>`

const deployment = async () =>
  new Response(text, { status: 401, headers: { 'Content-Type': 'text/html', Refresh: '0;url=/__admin/health' } })
const upstream = { url: 'http://deployment.test', apiKey: 'test_upstream', fetch: deployment }
const refusal = { status: 401, headers: { 'content-type': 'text/html' }, text }

test.each<[string, StartOptions]>([
  ['learned', { like: { version: 1, refusals: { 'workflow-not-found': refusal } } }],
  ['passed on', { passOn: passOnTo({ ...upstream, calls: ['getWorkflow'] }) }],
])('an answer that was %s calls nothing of the admin API', async (_, options) => {
  const { mock, key, created } = await started(options)
  await created()
  const { page, requests } = await openWatchedPage({ extraHTTPHeaders: { Authorization: freshKey() } })
  const address = `${mock.url}/api/v1/workflows/none`
  // A page elsewhere leads the browser there.
  await page.goto(`data:text/html,<script>location = '${address}'</script>`)
  await page.waitForURL(address, { waitUntil: 'networkidle' })
  expect(await page.title()).toBe('Attack')
  expect(requests.filter((url) => url.includes('/__admin/'))).toEqual([])
  expect(mock.journal.read(key)).toHaveLength(1)
})
