import { expect, test } from 'vitest'
import { createMock, type NextAnswer } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import { admin } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, freshKey } from '../support/service.ts'

const create = (mock: Parameters<typeof clientOf>[0], key?: string) => clientOf(mock, key).create()

test('an answer replaces calls of its key and operation, which are not carried out', async () => {
  const mock = createMock()
  const [mine, other] = [freshKey(), freshKey()]
  mock.next('createWorkflow', { status: 409, times: 2, headers: { 'Retry-After': '1' }, body: { error: 'busy' } }, mine)
  mock.next('getWorkflow', { status: 404 }, mine)
  expect((await create(mock, other)).status).toBe(201)
  const { status, headers, json } = await create(mock, mine)
  expect([status, headers.get('Retry-After'), json]).toEqual([409, '1', { error: 'busy' }])
  expect((await create(mock, mine)).status).toBe(409)
  expect(mock.journal.read(mine)).toEqual([])
  expect((await create(mock, mine)).status).toBe(201)
  expect(mock.waitingAnswers(mine)).toMatchObject([{ operationId: 'getWorkflow', times: 1 }])
  expect(mock.waitingAnswers(other)).toEqual([])
})

test('an error without a body is a problem, a text stays, and a delay is no answer', async () => {
  const mock = createMock()
  mock.next('createWorkflow', { status: 500 })
  mock.next('createWorkflow', { status: 502, body: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' } })
  mock.next('createWorkflow', { delayMs: 1 })
  await mustAnswer(create(mock), 500, 'injected-fault')
  const { headers, text } = await create(mock)
  expect([headers.get('Content-Type'), text]).toEqual(['text/html', '<h1>Bad gateway</h1>'])
  expect((await create(mock)).status).toBe(201)
  expect(mock.waitingAnswers()).toEqual([])
})

test('a reset removes queued answers', () => {
  const mock = createMock()
  const key = freshKey()
  for (const own of [key, undefined]) mock.next('createWorkflow', { status: 500 }, own)
  mock.reset(key)
  expect(mock.waitingAnswers()).toHaveLength(1)
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
  const { mock, requested } = admin()
  const upload = await requested()
  const put = () => clientOf(mock).store(upload)
  mock.next('putObject', { status: 503 })
  mock.next('putObject', { connection: 'broken' })
  await mustAnswer(put(), 503, 'InternalError')
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
  const { steer, steerOwn, create } = admin()
  const waiting = async () => (await steer('GET', '/next-answers')).json.next_answers
  const answer = { operation_id: 'createWorkflow', status: 507, times: 2 }
  const added = await steerOwn('POST', '/next-answers', answer)
  expect(added).toMatchObject({ status: 201, json: { next_answers: [{ ...answer, connection: 'kept' }] } })
  expect((await create()).status).toBe(507)
  expect(await waiting()).toMatchObject([{ times: 1 }])
  expect((await steerOwn('DELETE', '/next-answers')).status).toBe(204)
  expect(await waiting()).toEqual([])
})
