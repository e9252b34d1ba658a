import { expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import { noArchive } from '../../src/world/archive.ts'
import { freshKey, workflow } from '../support/service.ts'

/** Creates a mock, and returns functions that call it as a client that finds it at an address. */
function clientAt(address: string, options: MockOptions) {
  const mock = createMock({ approvers: 'manual', admin: { trusting: true }, ...options })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  const send = (path: string, body?: object) =>
    mock.fetch(address + path, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) })
  const requestUpload = async () => {
    const file = { file_name: 'contract (1).pdf', content_type: 'application/pdf', file_size: 3 }
    return (await send('/api/v1/upload/', file)).json()
  }
  const put = async (url: string) =>
    (await mock.fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/pdf' }, body: 'abc' })).status
  return { mock, send, requestUpload, put }
}

const token = { $new: 'hex', length: 32 } as const
const shown = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: { upload_url: { $: '/answer/upload_url' } },
}
const ofDeployment = {
  version: 1,
  uploadUrl: { $text: ['/files/', token] },
  answers: { requestUpload: shown },
} as const

test.each<[string, MockOptions, string]>([
  ['the contract', {}, '/storage/tenants/'],
  ['a profile', { like: ofDeployment }, '/files/'],
  ['a profile with an archive', { like: ofDeployment, archive: noArchive }, '/files/'],
])('links are below the base path, in the style of %s', async (_, options, storage) => {
  const { send, requestUpload, put } = clientAt('http://mock.test/team', { ...options, basePath: '/team' })
  const created = await send('/api/v1/workflows', workflow())
  const location = created.headers.get('Location') ?? ''
  expect(location).toMatch(/^\/team\/api\/v1\/workflows\//)
  expect((await send(location.slice('/team'.length))).status).toBe(200)
  const { upload_url } = await requestUpload()
  expect(upload_url.startsWith(`http://mock.test/team${storage}`)).toBe(true)
  expect(await put(upload_url)).toBe(200)
})

test('the admin API sends calls and files below the base path', async () => {
  const { mock, send, requestUpload } = clientAt('http://mock.test/team', { basePath: '/team' })
  const { session_id } = await requestUpload()
  const call = { operation_id: 'createWorkflow', body: workflow() }
  const sent = await (await send('/__admin/calls', call)).json()
  expect([sent.status, sent.headers.location]).toEqual([201, expect.stringMatching(/^\/team\/api/)])
  const [{ tenant_id }] = (await (await send('/__admin/tenants')).json()).tenants
  const url = `http://mock.test/team/__admin/uploads/${session_id}/content?tenant_id=${tenant_id}`
  const stored = await mock.fetch(url, { method: 'PUT', body: 'abc' })
  expect((await stored.json()).status).toBe(200)
})

test.each([
  ['/api/v1/workflows', 404, null, 'Use /team/api/v1/workflows.'],
  ['/teams/api/v1/workflows', 404, null, 'Use /team/teams/api/v1/workflows.'],
  ['/__admin/health', 404, null, 'Use /team/__admin/health.'],
  ['/team', 308, '/team/', ''],
])('%s is outside of the base path', async (path, status, location, advice) => {
  const answer = await clientAt('http://mock.test', { basePath: '/team' }).send(path)
  expect([answer.status, answer.headers.get('Location')]).toEqual([status, location])
  expect(await answer.text()).toContain(advice)
})

test('a public address counts whatever the proxy passes on', async () => {
  const publicBaseUrl = 'https://mock.example/approvals/'
  const { send, requestUpload, put } = clientAt('http://10.0.0.7:4010', { publicBaseUrl })
  const created = await send('/api/v1/workflows', workflow())
  expect(created.headers.get('Location')).toMatch(/^\/approvals\/api\/v1\/workflows\//)
  const { upload_url } = await requestUpload()
  expect(upload_url).toMatch(/^https:\/\/mock\.example\/approvals\/storage\/tenants\//)
  expect(await put(upload_url.replace('https://mock.example/approvals', 'http://10.0.0.8'))).toBe(200)
})

test.each<[MockOptions, RegExp]>([
  [{ basePath: 'team' }, /base path 'team' is not a path/],
  [{ basePath: '/team/' }, /without a slash at its end/],
  [{ publicBaseUrl: 'mock.example' }, /public address 'mock.example' is not an http/],
  [{ storageOrigin: 'files.example' }, /storage address 'files.example' is not an http/],
])('the option %j is refused', (options, message) => {
  expect(() => createMock(options)).toThrow(message)
})
