import { expect, test } from 'vitest'
import { createMock, type NextAnswer } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import { admin } from '../support/admin.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'

const create = (mock: Parameters<typeof clientOf>[0], key = freshKey()) =>
  clientOf(mock, key).call('POST', '/api/v1/workflows', workflow())

test('the next call gets the answer and is not carried out; the one after is', async () => {
  const mock = createMock({ approvers: 'manual' })
  const key = freshKey()
  mock.next('createWorkflow', { status: 503, headers: { 'Retry-After': '1' }, body: { error: 'busy' } })
  const replaced = await create(mock, key)
  expect([replaced.status, replaced.headers.get('Retry-After'), replaced.json]).toEqual([503, '1', { error: 'busy' }])
  expect(mock.journal.read(key)).toEqual([])
  expect((await create(mock, key)).status).toBe(201)
})

test('an error without a body is a problem, and a text is sent as it is', async () => {
  const mock = createMock()
  mock.next('createWorkflow', { status: 500 })
  mock.next('createWorkflow', { status: 502, body: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' } })
  const [problem, text] = [await create(mock), await create(mock)]
  expect(problem.json).toMatchObject({ status: 500, code: 'injected-fault' })
  expect([text.headers.get('Content-Type'), text.text]).toEqual(['text/html', '<h1>Bad gateway</h1>'])
})

test('an answer for a key waits for calls of that key and of that operation', async () => {
  const mock = createMock()
  const [mine, other] = [freshKey(), freshKey()]
  mock.next('createWorkflow', { status: 409, times: 2 }, mine)
  mock.next('getWorkflow', { status: 404 }, mine)
  expect((await create(mock, other)).status).toBe(201)
  expect([(await create(mock, mine)).status, (await create(mock, mine)).status]).toEqual([409, 409])
  expect((await create(mock, mine)).status).toBe(201)
  expect(mock.waitingAnswers(mine).map(({ operationId, times }) => [operationId, times])).toEqual([['getWorkflow', 1]])
  expect(mock.waitingAnswers(other)).toEqual([])
})

test('a delay alone leaves the call as it is', async () => {
  const mock = createMock()
  mock.next('createWorkflow', { delayMs: 1 })
  expect((await create(mock)).status).toBe(201)
  expect(mock.waitingAnswers()).toEqual([])
})

test('a reset removes queued answers', async () => {
  const mock = createMock()
  const key = freshKey()
  mock.next('createWorkflow', { status: 500 }, key)
  mock.next('createWorkflow', { status: 500 })
  mock.reset(key)
  expect(mock.waitingAnswers().length).toBe(1)
  mock.reset()
  expect(mock.waitingAnswers()).toEqual([])
})

test('a broken connection rejects in fetch, and closes the socket of a server', async () => {
  const mock = createMock()
  mock.next('createWorkflow', { connection: 'broken' })
  await expect(create(mock)).rejects.toThrow(TypeError)
  const server = await startMock({ port: 0 })
  server.next('createWorkflow', { connection: 'broken' })
  await expect(create(server)).rejects.toThrow(/fetch failed/)
  expect((await create(server)).status).toBe(201)
  await server.close()
})

test('storage answers as object storage does, also where a PUT is broken', async () => {
  const { mock, requested, pdf } = admin()
  const upload = await requested()
  const put = () => mock.fetch(new Request(upload.upload_url, { method: 'PUT', headers: upload.headers, body: pdf }))
  mock.next('putObject', { status: 503 })
  mock.next('putObject', { connection: 'broken' })
  const refused = await put()
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('<Code>InternalError</Code>')])
  await expect(put()).rejects.toThrow(TypeError)
  expect((await put()).status).toBe(200)
})

test.each<[string, NextAnswer, RegExp]>([
  ['createWorkflow', {}, /changes nothing\. Set a status/],
  ['createWorkflow', { status: 700 }, /status 700 is not valid\. Use a number from 200 to 599/],
  ['createWorkflow', { status: 500, times: 0 }, /cannot be used 0 times/],
  ['createWorkflow', { delayMs: -1 }, /delay of -1 ms/],
  ['createWorkflow', { status: 500, headers: { 'a b': 'c' } }, /header 'a b' cannot be sent/],
  ['createWorkflow', { status: 500, headers: { a: 'b\r\nc: d' } }, /header 'a' cannot be sent/],
  ['createWorkflow', undefined as never, /There is no answer\. Pass one as the second argument/],
  ['makeWorkflow', { status: 500 }, /Unknown operation 'makeWorkflow'\. Use one of createWorkflow/],
])('next(%j, %j) is refused', (operationId, answer, message) => {
  // An unknown operation does not compile, but JavaScript can send it.
  expect(() => createMock().next(operationId as 'createWorkflow', answer)).toThrow(message)
})

test('the admin API adds, lists and removes them', async () => {
  const { steer, mine, call } = admin()
  const added = await steer('POST', '/next-answers', { operation_id: 'createWorkflow', status: 507, times: 2 }, mine)
  expect([added.status, added.json.next_answers]).toEqual([
    201,
    [expect.objectContaining({ operation_id: 'createWorkflow', status: 507, times: 2, connection: 'kept' })],
  ])
  expect((await call('POST', '/api/v1/workflows', workflow())).status).toBe(507)
  expect((await steer('GET', '/next-answers')).json.next_answers).toMatchObject([{ times: 1 }])
  expect((await steer('DELETE', '/next-answers', undefined, mine)).status).toBe(204)
  expect((await steer('GET', '/next-answers')).json.next_answers).toEqual([])
  const refused = await steer('POST', '/next-answers', { operation_id: 'nothing', status: 500 })
  expect([refused.status, refused.json.code]).toEqual([400, 'invalid-parameter'])
})

test("'Prefer: code=500' answers an error that the contract does not have", async () => {
  const mock = createMock()
  const headers = { Authorization: freshKey(), Prefer: 'code=500' }
  const answer = await mock.fetch(new Request(`${'http://mock.test/api/v1/workflows'}/any`, { headers }))
  expect([answer.status, answer.headers.get('Preference-Applied'), (await answer.json()).code]).toEqual([
    500,
    'code=500',
    'injected-fault',
  ])
})
