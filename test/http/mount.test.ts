import { expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { noArchive } from '../../src/world/archive.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, workflow } from '../support/service.ts'

/** Creates a mock, and returns functions that call it as a client that finds it at an address. */
function clientAt(address: string, options: MockOptions) {
  const mock = createMock({ approvers: 'manual', admin: { trusting: true }, ...options })
  return { mock, ...clientOf(mock, undefined, address) }
}

const requestUpload = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: { upload_url: { $: '/answer/upload_url' } },
}
/** The profile of a deployment with such addresses of files. */
const filesAt = (path: string): Profile => {
  return { version: 1, uploadUrl: { $text: [path, { $new: 'hex', length: 32 }] }, answers: { requestUpload } }
}

test.each<[string, MockOptions, string]>([
  ['the contract', {}, '/storage/tenants/'],
  ['a profile', { like: filesAt('/files/') }, '/files/'],
  ['a profile with files under docs', { like: filesAt('/docs/') }, '/docs/'],
  ['a profile with an archive', { like: filesAt('/files/'), archive: noArchive }, '/files/'],
])('links are below the base path, in the style of %s', async (_, options, storage) => {
  const { create, get, requested, store } = clientAt('http://mock.test/team', { ...options, basePath: '/team' })
  const location = (await create()).headers.get('Location') ?? ''
  expect(location).toMatch(/^\/team\/api\/v1\/workflows\//)
  await mustAnswer(get(location.slice('/team'.length)), 200)
  const upload = { ...(await requested('contract (1).pdf')), headers: { 'Content-Type': 'application/pdf' } }
  expect(upload.upload_url.startsWith(`http://mock.test/team${storage}`)).toBe(true)
  await mustAnswer(store(upload), 200)
})

test('the admin API sends calls and files below the base path', async () => {
  const { post, put, get, requested, pdf } = clientAt('http://mock.test/team', { basePath: '/team' })
  const { session_id } = await requested()
  const call = { operation_id: 'createWorkflow', body: workflow() }
  const { status, headers } = (await post('/__admin/calls', call)).json
  expect([status, headers.location]).toEqual([201, expect.stringMatching(/^\/team\/api/)])
  const [{ tenant_id }] = (await get('/__admin/tenants')).json.tenants
  const url = `http://mock.test/team/__admin/uploads/${session_id}/content?tenant_id=${tenant_id}`
  expect((await put(url, pdf)).json.status).toBe(200)
})

test.each([
  ['/api/v1/workflows', 404, null, 'Use /team/api/v1/workflows.'],
  ['/teams/api/v1/workflows', 404, null, 'Use /team/teams/api/v1/workflows.'],
  ['/__admin/health', 404, null, 'Use /team/__admin/health.'],
  ['/team', 308, '/team/', ''],
])('%s is outside of the base path', async (path, status, location, advice) => {
  const answer = await clientAt('http://mock.test', { basePath: '/team' }).get(path)
  expect([answer.status, answer.headers.get('Location')]).toEqual([status, location])
  expect(answer.text).toContain(advice)
})

test('a public address counts whatever the proxy passes on', async () => {
  const publicBaseUrl = 'https://mock.example/approvals/'
  const { create, requested, store } = clientAt('http://10.0.0.7:4010', { publicBaseUrl })
  expect((await create()).headers.get('Location')).toMatch(/^\/approvals\/api\/v1\/workflows\//)
  const upload = await requested()
  expect(upload.upload_url).toMatch(/^https:\/\/mock\.example\/approvals\/storage\/tenants\//)
  const upload_url = upload.upload_url.replace('https://mock.example/approvals', 'http://10.0.0.8')
  await mustAnswer(store({ ...upload, upload_url }), 200)
})

test.each<[MockOptions, RegExp]>([
  [{ basePath: 'team' }, /base path 'team' is not a path/],
  [{ basePath: '/team/' }, /without a slash at its end/],
  [{ publicBaseUrl: 'mock.example' }, /public address 'mock.example' is not an http/],
  [{ storageOrigin: 'files.example' }, /storage address 'files.example' is not an http/],
])('the option %j is refused', (options, message) => {
  expect(() => createMock(options)).toThrow(message)
})
