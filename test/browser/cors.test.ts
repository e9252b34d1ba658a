import { afterAll, beforeEach, expect, test } from 'vitest'
import { openWatchedPage, type WatchedPage } from '../support/browser.ts'
import { servePages } from '../support/pages.ts'
import { freshKey, workflow } from '../support/service.ts'
import { sharedMock, started } from '../support/started.ts'

// The page, the service and storage each have their own origin.
const pages = await servePages({})
const mock = await sharedMock({ storagePort: 0 })
let watched: WatchedPage

afterAll(pages.close)
beforeEach(async () => {
  watched = await openWatchedPage()
  await watched.page.goto(pages.url)
})

interface Sent {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly credentials?: RequestCredentials
}

/** Sends a request with the fetch of the page. Returns the answer with the visible headers, or undefined. */
function fromPage(request: Sent) {
  return watched.page.evaluate(async ({ url, ...init }) => {
    try {
      const response = await fetch(url, init)
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    } catch {
      return undefined
    }
  }, request)
}

function call(path: string, body: object, headers: Record<string, string> = {}, more: Partial<Sent> = {}) {
  const all = { Authorization: freshKey(), 'Content-Type': 'application/json', ...headers }
  return fromPage({ url: mock.url + path, method: 'POST', headers: all, body: JSON.stringify(body), ...more })
}

const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 3 }
const put = { method: 'PUT', headers: { 'Content-Type': 'application/pdf' }, body: 'abc' }

test('a page on another origin calls the service and sees our headers', async () => {
  const created = await call('/api/v1/workflows', workflow(), { Prefer: 'code=201' })
  expect(created?.status).toBe(201)
  expect(created?.headers['preference-applied']).toContain('code=201')
  const { location } = (await call('/api/v1/workflows', workflow()))?.headers ?? {}
  expect(location).toMatch(/^\/api\/v1\/workflows\/wf_/)
})

test('a page sees a refusal with its challenge', async () => {
  const refused = await call('/api/v1/workflows', workflow(), { Authorization: 'Bearer test_a' })
  expect([refused?.status, refused?.headers['www-authenticate']]).toEqual([401, expect.stringContaining('realm')])
  expect(JSON.parse(refused?.text ?? '').code).toBe('key-with-scheme')
  expect((await call('/api/v1/nothing', {}))?.status).toBe(404)
})

test('a page uploads a file and sees its ETag, or the refusal', async () => {
  const { upload_url: url } = JSON.parse((await call('/api/v1/upload/', file))?.text ?? '')
  const sent = (headers: Record<string, string>) => fromPage({ ...put, url, headers })
  expect((await sent({ 'Content-Type': 'text/plain' }))?.status).toBe(403)
  expect((await sent({ ...put.headers, Authorization: 'test_a' }))?.status).toBe(400)
  const stored = await fromPage({ ...put, url })
  expect([stored?.status, stored?.text]).toEqual([200, ''])
  expect(stored?.headers.etag).toMatch(/^"[0-9a-f]{8}"$/)
})

test.each([false, true])('a page with credentials calls the service and storage: %s', async (corsCredentials) => {
  const { mock: own } = await started({ storagePort: 0, corsCredentials })
  const ask = (more: Partial<Sent> = {}) => call('', file, {}, { url: `${own.url}/api/v1/upload/`, ...more })
  const requested = await ask({ credentials: 'include' })
  const { text = '' } = requested ?? (await ask()) ?? {}
  const stored = await fromPage({ ...put, url: JSON.parse(text).upload_url, credentials: 'include' })
  const status = corsCredentials ? 200 : undefined
  expect([requested?.status, stored?.status]).toEqual([status, status])
})
