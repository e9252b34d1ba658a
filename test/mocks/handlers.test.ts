import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type HandlerOptions, handlers } from '../../mocks/handlers.ts'
import { createClient } from '../../src/client/index.ts'
import { createMock } from '../../src/index.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const network = setupServer()

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }))
afterEach(() => network.resetHandlers())
afterAll(() => network.close())

/** Mocks the service at a base address. Returns a client of it. */
function mockAt(baseUrl: string, options: HandlerOptions = {}) {
  const apiKey = freshKey()
  network.use(...handlers({ baseUrl, approvers: 'manual', ...options }))
  return { apiKey, client: createClient({ baseUrl, apiKey }) }
}

const bytes = new Uint8Array(70_000).map((_, index) => index * 31)

test.each(['http://msw.example', 'https://msw.example/approvals/', 'http://[::1]:4010', 'http://127.0.0.1:4010'])(
  'the whole flow passes at %s, and every byte arrives',
  async (baseUrl) => {
    const mock = createMock({ storageOrigin: new URL(baseUrl).origin })
    const { client, apiKey } = mockAt(baseUrl, { mock })
    const created = await client.POST('/api/v1/workflows', { body: workflow() })
    expect(created.data?.name).toBe(workflow().name)
    const location = new URL(created.response.headers.get('Location') ?? '', baseUrl).href
    expect((await fetch(location, { headers: { Authorization: apiKey } })).status).toBe(200)
    const { document_id, key } = await client.uploadDocument(new Blob([bytes]), { fileName: 'a:b*c.bin' })
    expect(storedBytes(mock.tenants.ofKey(apiKey), key)).toEqual(bytes)
    const params = { path: { workflow_id: created.data?.workflow_id ?? '' } }
    const body = { document_id, submitter_email: 'sam@example.com' }
    const executed = await client.POST('/api/v1/workflows/{workflow_id}/execute', { params, body })
    expect(executed.data?.status).toBe('running')
  },
)

test.each([
  ['/files/…', ['/files/', { $new: 'hex' }]],
  ['/tenants/…?sig=…', ['/', { $: '/key', as: 'path' }, '?sig=', { $new: 'hex' }]],
  ['/put?token=…', ['/put?token=', { $new: 'hex' }]],
])('files are uploaded to addresses of a deployment such as %s', async (_, $text) => {
  const headers = { 'content-type': 'application/json' }
  const answers = { requestUpload: { status: 200, headers, body: { $: '/answer' } } } as const
  const like = { version: 1, uploadUrl: { $text }, basePath: '/approvals', answers } as const
  const { client } = mockAt('http://like.example/approvals', { like })
  const body = { file_name: 'a.bin', content_type: 'text/plain', file_size: 3 }
  const { data } = await client.POST('/api/v1/upload/', { body })
  expect(data?.upload_url).not.toContain('/storage/')
  const { document_id } = await client.uploadDocument(new Blob([bytes]), { fileName: 'a.bin' })
  expect(document_id).toMatch(/./)
})

test('storage can have an origin of its own', async () => {
  const { client } = mockAt('http://msw.example', { storageUrl: 'https://storage.example' })
  const body = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 3 }
  const { data } = await client.POST('/api/v1/upload/', { body })
  expect(data?.upload_url).toMatch(/^https:\/\/storage\.example\/storage\/tenants\//)
  await expect(client.uploadDocument(new Blob(['abc']), { fileName: 'a.pdf' })).resolves.toHaveProperty('document_id')
})

test('the page steers it through the admin API, as it would a server', async () => {
  const { apiKey } = mockAt('http://msw.example')
  const { post, get } = clientOf({ url: 'http://msw.example' }, apiKey)
  expect((await post('/__admin/scenarios/busy-quarter', undefined)).status).toBe(204)
  expect((await post('/__admin/clock/advance', { duration: 'PT2H' })).status).toBe(200)
  expect((await get('/__admin/journal')).json.events.length).toBeGreaterThan(100)
  expect((await post('/__admin/reset', undefined)).status).toBe(204)
})

test('an aborted request rejects with its abort and prints nothing', async () => {
  const { apiKey } = mockAt('http://msw.example')
  const printed = vi.spyOn(console, 'error')
  const controller = new AbortController()
  const { signal } = controller
  const reason = new Error('The page is left.')
  const body = new ReadableStream({ pull: () => controller.abort(reason) })
  const init = { method: 'POST', headers: { Authorization: apiKey }, body, duplex: 'half', signal }
  await expect(fetch('http://msw.example/api/v1/workflows', init as RequestInit)).rejects.toBe(reason)
  await fetch('http://msw.example/api/v1/workflows')
  expect(printed).not.toHaveBeenCalled()
})

test('requests to other addresses are not mocked', async () => {
  mockAt('http://msw.example/approvals')
  await expect(fetch('http://msw.example/api/v1/workflows')).rejects.toThrow()
  await expect(fetch('http://msw.example/approvals/index.html')).rejects.toThrow()
  expect((await fetch('http://msw.example/approvals/api/v1/workflows')).status).toBe(405)
})

test('two sets of handlers with one seed give the same ids, and share nothing', async () => {
  const key = freshKey()
  const create = async (url: string) => {
    mockAt(url, { seed: 'twice' })
    return (await clientOf({ url }, key).created()).workflow_id
  }
  expect(await create('http://one.example')).toBe(await create('http://two.example'))
})

test.each(['https://approvals.example/api/v1', 'https://approvals.example/api/v1/'])(
  'the base address %s is refused with what to do',
  (baseUrl) => {
    expect(() => handlers({ baseUrl })).toThrow(/ends with '\/api\/v1', which each call adds\. Leave it out/)
  },
)
