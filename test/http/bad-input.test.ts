import { expect, test } from 'vitest'
import { type Answer, service, workflow } from '../support/service.ts'

/** Fails unless the answer is a problem with this status and code, and a message that says what is wrong and what to do. */
function mustBeProblem(answer: Answer, status: number, code: string, detail = ''): void {
  expect([answer.status, answer.json?.code]).toEqual([status, code])
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
  expect(answer.json.detail).toMatch(/^\S.*\. \S.*\.$/s)
  expect(answer.json.detail).toContain(detail)
}

const workflows = '/api/v1/workflows'
const upload = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }

test.each([
  ['no key', {}, 'missing-key'],
  ['a scheme word', { Authorization: 'Bearer test_secret' }, 'key-with-scheme'],
  ['a key in two words', { Authorization: 'sk_live_secret again' }, 'key-with-scheme'],
  ['the key in X-API-Key', { 'X-API-Key': 'test_secret' }, 'misplaced-key'],
  ['no test key', { Authorization: 'live_secret' }, 'not-a-test-key'],
])('%s is refused with 401 and a sentence of its own', async (_, headers, code) => {
  const { send, mock } = service()
  const answer = await send(new Request('http://mock.test/api/v1/workflows/wf_1', { headers: headers as HeadersInit }))
  mustBeProblem(answer, 401, code)
  expect(answer.headers.get('WWW-Authenticate')).toMatch(/^ApiKey realm=/)
  expect(answer.text).not.toContain('secret')
  expect(mock.tenants.has('secret')).toBe(false)
})

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const approvers = Array.from({ length: 300 }, () => ({}))
const json = 'application/json'

test.each<[string, unknown, string, number, string, string?]>([
  ['text that is not JSON', '{"name":', json, 400, 'invalid-json'],
  ['nothing', '', json, 400, 'invalid-json'],
  ['an array', '[]', json, 400, 'invalid-json'],
  ['null', 'null', json, 400, 'invalid-json'],
  ['65 levels', nested(65), json, 400, 'invalid-json'],
  ['10,000 levels', nested(10_000), json, 400, 'invalid-json'],
  ['a __proto__ member', '{"__proto__":{"name":"x"}}', json, 400, 'invalid-json'],
  ['half a character', '{"name":"\\ud800"}', json, 400, 'invalid-json'],
  ['a huge array', { name: 'x', steps: Array(5000).fill({}) }, json, 400, 'invalid-json'],
  ['many arrays', { steps: Array(200).fill({ approvers }) }, json, 400, 'invalid-json', 'more than 50000 values'],
  ['another type', '{}', 'text/plain', 415, 'unsupported-media-type'],
  ['a type that only begins alike', '{}', 'application/jsonp', 415, 'unsupported-media-type'],
  ['over 1 MiB', { name: 'x'.repeat(1024 * 1024) }, json, 413, 'body-too-large'],
])('a body of %s is refused', async (_, body, type, status, code, detail) => {
  const { post, world } = service()
  mustBeProblem(await post(workflows, body, { 'Content-Type': type }), status, code, detail)
  expect(world.journal.read()).toEqual([])
})

test('a body that is packed is refused with the reason, and not taken for bad text', async () => {
  const answer = await service().post(workflows, workflow(), { 'Content-Encoding': 'gzip' })
  mustBeProblem(answer, 415, 'unsupported-media-type', "Content-Encoding 'gzip' is not supported")
})

test.each([
  ['test_', 401],
  [`test_${'k'.repeat(201)}`, 401],
  [`test_${'k'.repeat(200)}`, 404],
  ['sk_test_k', 404],
])('the key $0 is answered with $1', async (Authorization, status) => {
  expect((await service().get('/api/v1/workflows/wf_1', { Authorization })).status).toBe(status)
})

test('64 levels and a charset are fine as JSON', async () => {
  const body = { ...workflow(), extra: JSON.parse(nested(63)) }
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await service().post(workflows, body, type)).status).toBe(201)
})

test('all violations are reported at once, each with field, rule and type', async () => {
  const { create, world } = service()
  const [step] = workflow().steps
  const answer = await create({
    name: 'x'.repeat(101),
    steps: [
      { ...step, order: 0 },
      { ...step, approvers: [] },
      { ...step, step_id: 'third', approvers: [{ email: 'no-address', name: 'Ann' }] },
    ],
  })
  mustBeProblem(answer, 400, 'invalid-request')
  expect(answer.json.errors).toEqual([
    { pointer: '/name', rule: 'maxLength', message: expect.stringContaining('a string of 101 characters') },
    { pointer: '/steps/0/order', rule: 'minimum', message: 'must be >= 1, but is 0' },
    { pointer: '/steps/1/approvers', rule: 'minItems', message: expect.stringContaining('an array of 0') },
    { pointer: '/steps/2/approvers/0/email', rule: 'format', message: expect.stringContaining('"no-address"') },
    { pointer: '/steps', rule: 'x-unique-by', message: expect.stringContaining('step_id') },
  ])
  expect(world.journal.read()).toEqual([])
})

test('a missing name is a violation of the name', async () => {
  const { errors } = (await service().create({ name: undefined })).json
  expect(errors).toEqual([{ pointer: '/name', rule: 'required', message: 'is required but missing' }])
})

test.each([
  ['100 characters', 'x'.repeat(100)],
  ['100 emoji, which are 200 UTF-16 units', '🙂'.repeat(100)],
])('a name of %s is kept', async (_, name) => {
  expect((await service().created({ name })).name).toBe(name)
})

test('an unknown workflow is not found', async () => {
  const { details, execute } = service()
  mustBeProblem(await details('wf_unknown'), 404, 'workflow-not-found')
  mustBeProblem(await execute('wf_unknown', 'doc_unknown'), 404, 'workflow-not-found')
})

test.each([
  ['/api/v1/upload', 'Use /api/v1/upload/.'],
  ['/api/v1/upload/confirm/', 'Use /api/v1/upload/confirm.'],
  ['/api/v1/uploads', 'Use /api/v1/upload/.'],
  ['/api/v2/workflows', 'Use /api/v1/workflows.'],
  ['/workflows', 'Use /api/v1/workflows.'],
  ['/api/v1/Workflows', 'Use /api/v1/workflows.'],
  ['/api/v1/workflows/wf_1/execute/', 'Use /api/v1/workflows/{workflow_id}/execute.'],
  ['/nowhere', '/api/v1/upload/confirm'],
])('the 404 for %s names the path that is meant', async (path, advice) => {
  mustBeProblem(await service().post(path, {}), 404, 'unknown-path', advice)
})

test('a path like none of the admin API is answered with those that it has', async () => {
  const { json } = await service({ admin: { trusting: true } }).get('/__admin/nowhere')
  expect(json.detail).toContain('/__admin/clock/advance')
  expect(json.detail).not.toContain('/api/v1')
})

test.each([
  ['DELETE', '/api/v1/workflows/wf_1', 'GET, HEAD, OPTIONS'],
  ['GET', workflows, 'POST, OPTIONS'],
  ['PUT', '/api/v1/upload/', 'POST, OPTIONS'],
])('%s %s is not allowed, and Allow says what is', async (method, path, allow) => {
  const answer = await service().call(method, path)
  mustBeProblem(answer, 405, 'method-not-allowed')
  expect(answer.headers.get('Allow')).toBe(allow)
})

test('OPTIONS without preflight headers lists what a path allows', async () => {
  const { call } = service()
  const { status, headers } = await call('OPTIONS', workflows)
  expect([status, headers.get('Allow')]).toEqual([204, 'POST, OPTIONS'])
  expect((await call('OPTIONS', '/nowhere')).status).toBe(404)
})

test('a document that was never confirmed cannot be executed', async () => {
  const { execute, created, stored, world } = service()
  const { workflow_id } = await created()
  await stored()
  const before = world.journal.length
  mustBeProblem(await execute(workflow_id, 'doc_0000000000000000'), 409, 'document-not-confirmed')
  expect(world.journal).toHaveLength(before)
})

test('a file over the limit is refused before it is uploaded', async () => {
  const { post } = service({ maxUploadBytes: 1000 })
  expect((await post('/api/v1/upload/', { ...upload, file_size: 1000 })).status).toBe(200)
  mustBeProblem(await post('/api/v1/upload/', { ...upload, file_size: 1001 }), 413, 'file-too-large')
})

test('a wrong confirmation is refused, and a right one works after it', async () => {
  const { requested, stored, store, confirm } = service()
  const asked = await requested()
  const { key } = await stored()
  mustBeProblem(await confirm(asked), 409, 'object-not-stored')
  await store(asked)
  const unknown = { ...asked, session_id: '00000000-0000-4000-8000-000000000000' }
  mustBeProblem(await confirm(unknown), 404, 'session-not-found')
  mustBeProblem(await confirm({ ...asked, key }), 409, 'key-of-another-session')
  mustBeProblem(await confirm(asked, 'other.pdf'), 400, 'file-name-mismatch')
  const [first, second] = [await confirm(asked), await confirm(asked)]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.json).toEqual(first.json)
})

test('a session of another key is not found', async () => {
  const { post, stored, confirmation } = service()
  const headers = { Authorization: 'test_somebody_else' }
  const answer = await post('/api/v1/upload/confirm', confirmation(await stored()), headers)
  mustBeProblem(answer, 404, 'session-not-found')
})

test.each(['foo://x/api/v1/upload/', 'file:///api/v1/upload/', 'data:,x'])(
  'a request to %s is refused, since it has no origin',
  async (url) => {
    const { mock, key } = service()
    const headers = { Authorization: key, 'Content-Type': json }
    const answer = await mock.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(upload) }))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid-request' }])
  },
)
