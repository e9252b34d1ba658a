import { expect, test } from 'vitest'
import { type Answer, execution, service, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

/** Fails unless the answer is a problem with this status and code, and a message that says what is wrong and what to do. */
function mustBeProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.code]).toEqual([status, code])
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
  expect(answer.json.detail).toMatch(/^\S.*\. \S.*\.$/s)
}

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
  expect(mock.tenants.byId('secret')).toBeUndefined()
})

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

test.each([
  ['text that is not JSON', '{"name":', 'application/json', 400, 'invalid-json'],
  ['nothing', '', 'application/json', 400, 'invalid-json'],
  ['an array', '[]', 'application/json', 400, 'invalid-json'],
  ['null', 'null', 'application/json', 400, 'invalid-json'],
  ['65 levels', nested(65), 'application/json', 400, 'invalid-json'],
  ['10,000 levels', nested(10_000), 'application/json', 400, 'invalid-json'],
  ['a __proto__ member', '{"__proto__":{"name":"x"}}', 'application/json', 400, 'invalid-json'],
  ['half a character', '{"name":"\\ud800"}', 'application/json', 400, 'invalid-json'],
  ['another type', '{}', 'text/plain', 415, 'unsupported-media-type'],
  ['a type that only begins alike', '{}', 'application/jsonp', 415, 'unsupported-media-type'],
  ['over 1 MiB', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 'application/json', 413, 'body-too-large'],
])('a body of %s is refused', async (_, body, type, status, code) => {
  const { call, world } = service()
  mustBeProblem(await call('POST', '/api/v1/workflows', body, { 'Content-Type': type }), status, code)
  expect(world.journal.read()).toEqual([])
})

test('a body that is packed is refused with the reason, and not taken for bad text', async () => {
  const { call } = service()
  const answer = await call('POST', '/api/v1/workflows', workflow(), { 'Content-Encoding': 'gzip' })
  mustBeProblem(answer, 415, 'unsupported-media-type')
  expect(answer.json.detail).toContain("Content-Encoding 'gzip' is not supported")
})

test.each([
  ['test_', 401],
  [`test_${'k'.repeat(201)}`, 401],
  [`test_${'k'.repeat(200)}`, 404],
  ['sk_test_k', 404],
])('the key $0 is answered with $1', async (key, status) => {
  const { call } = service()
  expect((await call('GET', '/api/v1/workflows/wf_1', undefined, { Authorization: key })).status).toBe(status)
})

test('64 levels and a charset are fine as JSON', async () => {
  const { call } = service()
  const body = { ...workflow(), extra: JSON.parse(nested(63)) }
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await call('POST', '/api/v1/workflows', body, type)).status).toBe(201)
})

test('all violations are reported at once, each with field, rule and type', async () => {
  const { call, world } = service()
  const [step] = workflow().steps
  const approvers = [{ email: 'nobody', name: 'Nobody' }]
  const answer = await call('POST', '/api/v1/workflows', {
    name: 'x'.repeat(101),
    steps: [
      { ...step, order: 0 },
      { ...step, approvers: [] },
      { ...step, step_id: 'third', approvers },
    ],
  })
  mustBeProblem(answer, 400, 'invalid-request')
  expect(answer.json.errors).toEqual([
    { pointer: '/name', rule: 'maxLength', message: expect.stringContaining('a string of 101 characters') },
    { pointer: '/steps/0/order', rule: 'minimum', message: 'must be >= 1, but is 0' },
    { pointer: '/steps/1/approvers', rule: 'minItems', message: expect.stringContaining('an array of 0') },
    { pointer: '/steps/2/approvers/0/email', rule: 'format', message: expect.stringContaining('"nobody"') },
    { pointer: '/steps', rule: 'x-unique-by', message: expect.stringContaining('step_id') },
  ])
  expect(world.journal.read()).toEqual([])
})

test('a missing name is a violation of the name', async () => {
  const { call } = service()
  const { name, ...rest } = workflow()
  const { json } = await call('POST', '/api/v1/workflows', rest)
  expect(json.errors).toEqual([{ pointer: '/name', rule: 'required', message: 'is required but missing' }])
})

test.each([
  ['100 characters', 'x'.repeat(100)],
  ['100 emoji, which are 200 UTF-16 units', '🙂'.repeat(100)],
])('a name of %s is kept', async (_, name) => {
  const { created } = service()
  expect((await created({ name })).name).toBe(name)
})

test('a huge array is refused before its items are validated', async () => {
  const { call } = service()
  const answer = await call('POST', '/api/v1/workflows', { name: 'x', steps: Array.from({ length: 5000 }, () => ({})) })
  mustBeProblem(answer, 400, 'invalid-json')
})

test('a body of many arrays with too many items in all is refused as well', async () => {
  const { call } = service()
  const approvers = Array.from({ length: 300 }, () => ({}))
  const steps = Array.from({ length: 200 }, () => ({ approvers }))
  const answer = await call('POST', '/api/v1/workflows', { name: 'x', steps })
  mustBeProblem(answer, 400, 'invalid-json')
  expect(answer.json.detail).toContain('more than 50000 values')
})

test('an unknown workflow is not found', async () => {
  const { call } = service()
  mustBeProblem(await call('GET', '/api/v1/workflows/wf_unknown'), 404, 'workflow-not-found')
  const answer = await call('POST', '/api/v1/workflows/wf_unknown/execute', execution('doc_unknown'))
  mustBeProblem(answer, 404, 'workflow-not-found')
})

test.each([
  ['/api/v1/upload', '/api/v1/upload/'],
  ['/api/v1/upload/confirm/', '/api/v1/upload/confirm'],
  ['/api/v1/uploads', '/api/v1/upload/'],
  ['/api/v2/workflows', '/api/v1/workflows'],
  ['/workflows', '/api/v1/workflows'],
  ['/api/v1/Workflows', '/api/v1/workflows'],
  ['/api/v1/workflows/wf_1/execute/', '/api/v1/workflows/{workflow_id}/execute'],
])('the 404 for %s names the path that is meant', async (path, meant) => {
  const { call } = service()
  const answer = await call('POST', path, {})
  mustBeProblem(answer, 404, 'unknown-path')
  expect(answer.json.detail).toContain(`Use ${meant}.`)
})

test('a path like none of the documented ones is not found, and the answer lists them', async () => {
  const { call } = service()
  const answer = await call('GET', '/nowhere')
  mustBeProblem(answer, 404, 'unknown-path')
  expect(answer.json.detail).toContain('/api/v1/upload/confirm')
})

test('a path like none of the admin API is answered with those that it has', async () => {
  const { call } = service({ admin: { trusting: true } })
  const { json } = await call('GET', '/__admin/nowhere')
  expect(json.detail).toContain('/__admin/clock/advance')
  expect(json.detail).not.toContain('/api/v1')
})

test.each([
  ['DELETE', '/api/v1/workflows/wf_1', 'GET, HEAD, OPTIONS'],
  ['GET', '/api/v1/workflows', 'POST, OPTIONS'],
  ['PUT', '/api/v1/upload/', 'POST, OPTIONS'],
])('%s %s is not allowed, and Allow says what is', async (method, path, allow) => {
  const { call } = service()
  const answer = await call(method, path)
  mustBeProblem(answer, 405, 'method-not-allowed')
  expect(answer.headers.get('Allow')).toBe(allow)
})

test('OPTIONS without preflight headers lists what a path allows', async () => {
  const { call } = service()
  const there = await call('OPTIONS', '/api/v1/workflows')
  expect([there.status, there.headers.get('Allow')]).toEqual([204, 'POST, OPTIONS'])
  expect((await call('OPTIONS', '/nowhere')).status).toBe(404)
})

test('a document that was never confirmed cannot be executed', async () => {
  const { call, created, stored, world } = service()
  const { workflow_id } = await created()
  await stored()
  const before = world.journal.read().length
  const answer = await call('POST', `/api/v1/workflows/${workflow_id}/execute`, execution('doc_0000000000000000'))
  mustBeProblem(answer, 409, 'document-not-confirmed')
  expect(world.journal.read()).toHaveLength(before)
})

test('a file over the limit is refused before it is uploaded', async () => {
  const { call } = service({ maxUploadBytes: 1000 })
  const request = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1001 }
  expect((await call('POST', '/api/v1/upload/', { ...request, file_size: 1000 })).status).toBe(200)
  mustBeProblem(await call('POST', '/api/v1/upload/', request), 413, 'file-too-large')
})

test('a wrong confirmation is refused, and a right one works after it', async () => {
  const { call, requested, stored, put, pdf, confirmation } = service()
  const upload = await requested()
  const other = await stored()
  const confirm = (body: object) => call('POST', '/api/v1/upload/confirm', body)
  mustBeProblem(await confirm(confirmation(upload)), 409, 'object-not-stored')
  await put(upload.upload_url, pdf, upload.headers)
  const unknown = { ...upload, session_id: '00000000-0000-4000-8000-000000000000' }
  mustBeProblem(await confirm(confirmation(unknown)), 404, 'session-not-found')
  mustBeProblem(await confirm(confirmation({ ...upload, key: other.key })), 409, 'key-of-another-session')
  mustBeProblem(await confirm(confirmation(upload, 'other.pdf')), 400, 'file-name-mismatch')
  const first = await confirm(confirmation(upload))
  const second = await confirm(confirmation(upload))
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.json).toEqual(first.json)
})

test('a session of another key is not found', async () => {
  const { call, stored, confirmation } = service()
  const headers = { Authorization: 'test_somebody_else' }
  const answer = await call('POST', '/api/v1/upload/confirm', confirmation(await stored()), headers)
  mustBeProblem(answer, 404, 'session-not-found')
})

test.each(['../x', '..', '.', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', 'x'.repeat(300), ''])(
  'the file name $0 is refused',
  async (fileName) => {
    const { call } = service()
    const request = { file_name: fileName, content_type: 'application/pdf', file_size: 1 }
    const answer = await call('POST', '/api/v1/upload/', request)
    mustBeProblem(answer, 400, 'invalid-request')
    expect(answer.json.errors[0].pointer).toBe('/file_name')
  },
)

test.each([
  'a b+c%.pdf',
  '📄 Vertrag.pdf',
  '...',
  "it's (1)!*.pdf",
  '%2e%2e',
  '?x=1&y#z',
  'é'.repeat(255),
  '__proto__',
])('the file name $0 ends the key', async (fileName) => {
  const { requested, put, pdf, confirmation, call, world } = service()
  const upload = await requested(fileName)
  expect(upload.key.endsWith(`/${fileName}`)).toBe(true)
  expect((await put(upload.upload_url, pdf, upload.headers)).status).toBe(200)
  expect(storedBytes(world, upload.key)).toEqual(pdf)
  const confirmed = await call('POST', '/api/v1/upload/confirm', confirmation(upload, fileName))
  expect(confirmed.json.file_name).toBe(fileName)
})

test.each(['foo://x/api/v1/upload/', 'file:///api/v1/upload/', 'data:,x'])(
  'a request to %s is refused, since it has no origin',
  async (url) => {
    const { mock, key } = service()
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 })
    const answer = await mock.fetch(new Request(url, { method: 'POST', headers, body }))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid-request' }])
  },
)
