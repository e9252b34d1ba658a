import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { scenarioNames } from '../../mocks/scenarios/names.ts'
import { admin } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey, service, start } from '../support/service.ts'

const hour = 3_600_000

test('a key moves the clock of its own world; without one all worlds move', async () => {
  const { steer, mine } = admin()
  const other = { Authorization: freshKey() }
  const hours = async (headers: Record<string, string>) =>
    (Date.parse((await steer('GET', '/clock', undefined, headers)).json.now) - start) / hour
  await hours(other)
  await steer('POST', '/clock/advance', { duration: 'PT1H' }, mine)
  await steer('POST', '/clock/advance', { duration: 'PT2H' })
  const later = { Authorization: freshKey() }
  expect([await hours(mine), await hours(other), await hours(later), await hours({})]).toEqual([3, 2, 2, 2])
})

test('time ends with the year 9999, and stays there', async () => {
  const { steer, requested, store } = admin()
  const advance = () => steer('POST', '/clock/advance', { duration: 'P9999W99999DT999999H' })
  let answer = await advance()
  for (; answer.status === 200; answer = await advance()) expect(answer.json.now).toMatch(/^\d{4}-/)
  expect([answer.status, answer.json.code]).toEqual([400, 'invalid-parameter'])
  expect((await store(await requested())).status).toBe(200)
})

test('reset brings back the exact state of the start: worlds, clock, settings and log', async () => {
  const { steer, read, created, key, mock } = admin({ scenario: scenarios.rejected })
  const seen = () => Promise.all(['/journal', '/clock', '/settings', '/requests'].map(read))
  const before = await seen()
  await created()
  await steer('PUT', '/settings', { approvers: 'instant', faults: [{ probability: 0.5, status: 503 }] })
  await steer('POST', '/clock/advance', { duration: 'PT5H' })
  await steer('PUT', '/clock', { speed: 60 })
  const changed = await seen()
  for (const [index, one] of nonEmpty(before.entries())) expect(changed[index]).not.toEqual(one)
  await steer('POST', '/reset')
  expect(await seen()).toEqual(before)
  expect(mock.journal.read(key)).not.toEqual([])
})

test('resetting one world leaves the others alone', async () => {
  const { steer, steerOwn, created, details } = admin()
  const { workflow_id } = await created()
  await steer('POST', '/reset', undefined, { Authorization: freshKey() })
  expect((await details(workflow_id)).status).toBe(200)
  await steerOwn('POST', '/reset')
  expect((await details(workflow_id)).status).toBe(404)
})

test('reading or resetting an unused key opens no world', async () => {
  const { steer, mock } = admin()
  const unused = { Authorization: freshKey() }
  const before = mock.tenants.size
  expect((await steer('GET', '/requests', undefined, unused)).json.requests).toEqual([])
  await steer('POST', '/reset', undefined, unused)
  expect(mock.tenants.size).toBe(before)
})

test('the journal is read by type, however much has happened since', async () => {
  const { read } = admin({ scenario: scenarios['busy-quarter'], approvers: 'auto' })
  const { events } = await read('/journal?type=WorkflowCreated&limit=5')
  expect(events.length).toBeGreaterThan(1)
  expect(new Set(events.map(({ type }: { type: string }) => type))).toEqual(new Set(['WorkflowCreated']))
  expect((await read('/journal?type=Nothing')).events).toEqual([])
})

test('a mock without the admin API says how to have one', async () => {
  const { json } = await mustAnswer(service().get('/__admin/health'), 404)
  expect(json.detail).toMatch(/admin API is off\. Start the mock .*admin token/)
})

test('scenarios are listed and loaded; for an unknown one the answer lists all', async () => {
  const { steer, steerOwn, world, mock, key } = admin()
  const { current, scenarios } = (await steer('GET', '/scenarios')).json
  expect(current).toBe('empty')
  expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(scenarioNames)
  const { json } = await mustAnswer(steerOwn('POST', '/scenarios/nothing'), 404, 'unknown-scenario')
  for (const name of nonEmpty(scenarioNames)) expect(json.detail).toContain(name)
  expect(mock.tenants.ofKey(key)).toBe(world)
  expect((await steerOwn('POST', '/scenarios/stuck-approval')).status).toBe(204)
  expect(mock.tenants.ofKey(key).journal.read(undefined, 'ExecutionStarted')).not.toEqual([])
})

test('faults fail the calls that they name, as often as they say', async () => {
  const { steer, create, details } = admin()
  const fail = (...faults: object[]) => steer('PUT', '/settings', { faults })
  await fail({ operation_id: 'createWorkflow', probability: 1, status: 400 })
  await mustAnswer(create(), 400, 'injected-fault')
  await mustAnswer(details('wf_unknown'), 404, 'workflow-not-found')
  await fail({ probability: 1, status: 401 })
  expect((await create()).headers.get('WWW-Authenticate')).toContain('Authorization')
  await fail()
  expect((await create()).status).toBe(201)
})

const faulty = (fault: object) => ({ faults: [{ probability: 1, status: 503, ...fault }] })

test.each<[string, string, unknown, string, (string | RegExp)?]>([
  ['PUT', '/settings', faulty({ probability: 1.5 }), 'invalid-request', '/faults/0/probability'],
  ['PUT', '/settings', faulty({ status: 200 }), 'invalid-request', '/faults/0/status'],
  ['PUT', '/settings', { approvers: 'sometimes' }, 'invalid-request', '/approvers'],
  ['PUT', '/settings', { latency: { min_ms: -1, max_ms: 0 } }, 'invalid-request', '/latency/min_ms'],
  ['PUT', '/settings', { rate_limit: '5' }, 'invalid-request', '/rate_limit'],
  ['PUT', '/settings', { latency: { min_ms: 2, max_ms: 1 } }, 'invalid-parameter', /max_ms is below/],
  ['PUT', '/settings', faulty({ operation_id: 'dance' }), 'invalid-parameter', /no operation 'dance'/],
  ['POST', '/clock/advance', { duration: 'PT-2H' }, 'invalid-request', '/duration'],
  ['POST', '/clock/advance', { duration: '' }, 'invalid-request', '/duration'],
  ['GET', '/workflows?as_of=-1', undefined, 'invalid-parameter', /as_of is not/],
  ['GET', '/workflows?as_of=9', undefined, 'invalid-parameter', /as_of is 9, but the last event is 0/],
  ['GET', '/workflows?before=x', undefined, 'invalid-parameter', /before is not/],
  ['GET', '/executions?status=lost', undefined, 'invalid-parameter'],
  ['GET', '/requests?also=all', undefined, 'invalid-parameter'],
  ['GET', '/journal?before=0', undefined, 'invalid-parameter'],
  ['POST', '/next-answers', { operation_id: 'nothing', status: 500 }, 'invalid-parameter'],
  ['POST', '/calls', { operation_id: 'getWorkflow' }, 'invalid-parameter'],
  ['POST', '/calls', { operation_id: 'putObject', params: { session_id: 'x' } }, 'invalid-request'],
  ['POST', '/calls', { operation_id: 'resetWorlds' }, 'invalid-request'],
])('%#: a wrong %s %s is refused, and nothing changes', async (method, path, body, code, reason = /./) => {
  const { read, steerOwn } = admin()
  const seen = () => Promise.all(['/journal', '/clock', '/settings', '/next-answers'].map(read))
  const before = await seen()
  const { json } = await mustAnswer(steerOwn(method, path, body), 400, code)
  if (typeof reason === 'string') expect(json.errors[0].pointer).toBe(reason)
  else expect(json.detail).toMatch(reason)
  expect(await seen()).toEqual(before)
})

test.each([
  ['GET', '/journal?before=3', undefined],
  ['POST', '/clock/advance', { to: 'next-decision' }],
])('%s %s is refused without a tenant', async (method, path, body) => {
  await mustAnswer(admin().steer(method, path, body), 400, 'invalid-parameter')
})

test('50 executions and their decisions at once lose nothing', async () => {
  const { created, confirmed, execute, steerOwn, details } = admin()
  const { workflow_id } = await created()
  const { document_id } = await confirmed()
  const decided = Array.from({ length: 50 }, async () => {
    const { execution_id, steps } = (await execute(workflow_id, document_id)).json
    const body = { step_id: 'legal', decision: 'approved', approver_email: steps[0].assignee.email }
    const { json } = await steerOwn('POST', `/executions/${execution_id}/decision`, body)
    expect(json).toEqual({ execution_id, status: 'running' })
  })
  await Promise.all(decided)
  const { execution_metrics, step_performance } = (await details(workflow_id)).json
  expect(execution_metrics).toMatchObject({ total: 50, running: 50 })
  expect(step_performance).toMatchObject([
    { approved: 50, assigned: 0 },
    { approved: 0, assigned: 50 },
  ])
})
