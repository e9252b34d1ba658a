import { expect, test } from 'vitest'
import { mustAnswer } from '../support/must-answer.ts'
import { type Answer, freshKey, service, workflow } from '../support/service.ts'

/** Fails unless the answer is a problem with this status and code, and a message that says what is wrong and what to do. */
async function mustBeProblem(sending: Promise<Answer>, status: number, code: string, detail = ''): Promise<Answer> {
  const answer = await mustAnswer(sending, status, code)
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
  expect(answer.json.detail).toMatch(/^\S.*\. \S.*\.$/s)
  expect(answer.json.detail).toContain(detail)
  return answer
}

const workflows = '/api/v1/workflows'
const upload = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }

test.each<[string, Record<string, string>, string]>([
  ['no key', { Authorization: '' }, 'missing-key'],
  ['a scheme word', { Authorization: 'Bearer test_secret' }, 'key-with-scheme'],
  ['a key in two words', { Authorization: 'sk_live_secret again' }, 'key-with-scheme'],
  ['the key in X-API-Key', { Authorization: '', 'X-API-Key': 'test_secret' }, 'misplaced-key'],
  ['no test key', { Authorization: 'live_secret' }, 'not-a-test-key'],
])('%s is refused with 401 and a sentence of its own', async (_, headers, code) => {
  const { details, mock } = service()
  const answer = await mustBeProblem(details('wf_1', headers), 401, code)
  expect(answer.headers.get('WWW-Authenticate')).toMatch(/^ApiKey realm=/)
  expect(answer.text).not.toContain('secret')
  expect(mock.tenants.has('secret')).toBe(false)
})

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const approvers = Array(300).fill({})

test.each<[string, unknown, number, string, Record<string, string>?, string?]>([
  ['text that is not JSON', '{"name":', 400, 'invalid-json'],
  ['nothing', '', 400, 'invalid-json'],
  ['an array', '[]', 400, 'invalid-json'],
  ['null', 'null', 400, 'invalid-json'],
  ['65 levels', nested(65), 400, 'invalid-json'],
  ['10,000 levels', nested(10_000), 400, 'invalid-json'],
  ['a __proto__ member', '{"__proto__":{"name":"x"}}', 400, 'invalid-json'],
  ['half a character', '{"name":"\\ud800"}', 400, 'invalid-json'],
  ['a huge array', { name: 'x', steps: Array(5000).fill({}) }, 400, 'invalid-json'],
  ['many arrays', { steps: Array(200).fill({ approvers }) }, 400, 'invalid-json', {}, 'more than 50000 values'],
  ['another type', '{}', 415, 'unsupported-media-type', { 'Content-Type': 'text/plain' }],
  ['a type that begins alike', '{}', 415, 'unsupported-media-type', { 'Content-Type': 'application/jsonp' }],
  ['packed bytes', '{}', 415, 'unsupported-media-type', { 'Content-Encoding': 'gzip' }, "'gzip' is not supported"],
  ['over 1 MiB', { name: 'x'.repeat(1024 * 1024) }, 413, 'body-too-large'],
])('a body of %s is refused', async (_, body, status, code, headers, detail) => {
  const { post, world } = service()
  await mustBeProblem(post(workflows, body, headers), status, code, detail)
  expect(world.journal.length).toBe(0)
})

test.each([
  ['test_', 401],
  [`test_${'k'.repeat(201)}`, 401],
  [`test_${'k'.repeat(200)}`, 404],
  ['sk_test_k', 404],
])('the key $0 is answered with $1', async (Authorization, status) => {
  expect((await service().details('wf_1', { Authorization })).status).toBe(status)
})

test('all violations are reported at once, each with field, rule and type', async () => {
  const { create, world } = service()
  const [step] = workflow().steps
  const steps = [
    { ...step, order: 0 },
    { ...step, approvers: [] },
    { ...step, step_id: 'third', approvers: [{ email: 'no-address', name: 'Ann' }] },
  ]
  const { json } = await mustBeProblem(create({ name: 'x'.repeat(101), steps }), 400, 'invalid-request')
  expect(json.errors).toEqual([
    { pointer: '/name', rule: 'maxLength', message: expect.stringContaining('a string of 101 characters') },
    { pointer: '/steps/0/order', rule: 'minimum', message: 'must be >= 1, but is 0' },
    { pointer: '/steps/1/approvers', rule: 'minItems', message: expect.stringContaining('an array of 0') },
    { pointer: '/steps/2/approvers/0/email', rule: 'format', message: expect.stringContaining('"no-address"') },
    { pointer: '/steps', rule: 'x-unique-by', message: expect.stringContaining('step_id') },
  ])
  const missing = { pointer: '/name', rule: 'required', message: 'is required but missing' }
  expect((await create({ name: undefined })).json.errors).toEqual([missing])
  expect(world.journal.length).toBe(0)
})

test('names of 100 characters or emoji, 64 levels and a charset are fine', async () => {
  const { created, post } = service()
  for (const name of ['x'.repeat(100), '🙂'.repeat(100)]) expect((await created({ name })).name).toBe(name)
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  await mustAnswer(post(workflows, { ...workflow(), more: JSON.parse(nested(63)) }, type), 201)
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
  await mustBeProblem(service().post(path, {}), 404, 'unknown-path', advice)
})

test('a path like none of the admin API is answered with those that it has', async () => {
  const { json } = await service({ admin: { trusting: true } }).get('/__admin/nowhere')
  expect(json.detail).toContain('/__admin/clock/advance')
  expect(json.detail).not.toContain('/api/v1')
})

test.each([
  ['DELETE', '/api/v1/workflows/wf_1', 405, 'GET, HEAD, OPTIONS'],
  ['GET', workflows, 405, 'POST, OPTIONS'],
  ['PUT', '/api/v1/upload/', 405, 'POST, OPTIONS'],
  ['OPTIONS', workflows, 204, 'POST, OPTIONS'],
  ['OPTIONS', '/nowhere', 404, null],
])('%s %s is answered %i, and Allow says what is allowed', async (method, path, status, allow) => {
  const { headers } = await mustAnswer(service().call(method, path), status)
  expect(headers.get('Allow')).toBe(allow)
})

test('a workflow and a session of another key are not found', async () => {
  const { details, created, post, stored, confirmation } = service()
  const other = { Authorization: freshKey() }
  await mustBeProblem(details((await created()).workflow_id, other), 404, 'workflow-not-found')
  await mustBeProblem(post('/api/v1/upload/confirm', confirmation(await stored()), other), 404, 'session-not-found')
})

test('a file over the limit is refused before it is uploaded', async () => {
  const { post } = service({ maxUploadBytes: 1000 })
  expect((await post('/api/v1/upload/', { ...upload, file_size: 1000 })).status).toBe(200)
  await mustBeProblem(post('/api/v1/upload/', { ...upload, file_size: 1001 }), 413, 'file-too-large')
})

test.each(['foo://x/api/v1/upload/', 'file:///api/v1/upload/', 'data:,x'])(
  'a request to %s is refused, since it has no origin',
  async (url) => {
    const { mock, key } = service()
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const answer = await mock.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(upload) }))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid-request' }])
  },
)
