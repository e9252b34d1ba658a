import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { scenarioNames } from '../../mocks/scenarios/names.ts'
import { admin } from '../support/admin.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey, service, start, workflow } from '../support/service.ts'

const hour = 3_600_000

test('health shows that the mock is running', async () => {
  expect((await admin().steer('GET', '/health')).json).toMatchObject({ status: 'ok', worlds: 1 })
})

test('advancing the clock runs everything that is due before it answers', async () => {
  const { steerOwn, executed, details } = admin({ approvers: 'auto' })
  const { workflow_id } = await executed()
  const { json } = await steerOwn('POST', '/clock/advance', { duration: 'P30D' })
  expect(json).toEqual({ now: new Date(start + 30 * 24 * hour).toISOString(), speed: 0 })
  expect((await details(workflow_id)).json.execution_metrics.running).toBe(0)
})

test('a key moves the clock of its own world; without one all worlds move', async () => {
  const { steer, mine } = admin()
  const other = { Authorization: freshKey() }
  const hours = async (headers: Record<string, string>) =>
    (Date.parse((await steer('GET', '/clock', undefined, headers)).json.now) - start) / hour
  await hours(other)
  await steer('POST', '/clock/advance', { duration: 'PT1H' }, mine)
  expect([await hours(mine), await hours(other), await hours({})]).toEqual([1, 0, 0])
  await steer('POST', '/clock/advance', { duration: 'PT2H' })
  expect([await hours(mine), await hours(other), await hours({})]).toEqual([3, 2, 2])
  expect(await hours({ Authorization: freshKey() })).toBe(2)
})

test.each(['PT-2H', 'P', 'P1Y', ''])('advancing by %j is refused, and the time stays', async (duration) => {
  const { steer } = admin()
  const { status, json } = await steer('POST', '/clock/advance', { duration })
  expect([status, json.code, json.errors[0].pointer]).toEqual([400, 'invalid-request', '/duration'])
  expect((await steer('GET', '/clock')).json.now).toBe(new Date(start).toISOString())
})

test('time ends with the year 9999, and stays there', async () => {
  const { steer, requested, store } = admin()
  const advance = () => steer('POST', '/clock/advance', { duration: 'P9999W99999DT999999H' })
  let answer = await advance()
  for (; answer.status === 200; answer = await advance()) expect(answer.json.now).toMatch(/^\d{4}-/)
  expect([answer.status, answer.json.code]).toEqual([400, 'invalid-parameter'])
  expect((await store(await requested())).status).toBe(200)
})

test('steps are decided whose names mean something in a URL', async () => {
  const { steerOwn, executed } = admin()
  const [legal] = workflow().steps
  const names = ['.', '..']
  const { execution_id, steps } = await executed({
    steps: names.map((step_id, index) => ({ ...legal, step_id, name: step_id, order: index + 1 })),
  })
  const { email: approver_email } = steps[0].assignee
  for (const [index, step_id] of nonEmpty(names.entries())) {
    const body = { step_id, decision: 'approved', approver_email }
    const json = { execution_id, status: index === 0 ? 'running' : 'approved' }
    expect(await steerOwn('POST', `/executions/${execution_id}/decision`, body)).toEqual({ status: 200, json })
  }
})

test.each([
  ['as another approver', 'legal', 'ines@example.com', 409, 'not-the-assignee'],
  ['on a step that waits', 'finance', 'ines@example.com', 409, 'step-not-assigned'],
  ['on an unknown step', 'nothing', 'ines@example.com', 404, 'step-not-found'],
  ['on an unknown execution', 'legal', 'lena@example.com', 404, 'execution-not-found'],
])('a decision %s is refused, and nothing changes', async (what, step_id, approver_email, status, code) => {
  const { steer, executed, world } = admin()
  const { execution_id } = await executed()
  const before = world.journal.read().length
  const id = what === 'on an unknown execution' ? 'exe_unknown' : execution_id
  const answer = await steer('POST', `/executions/${id}/decision`, { step_id, decision: 'approved', approver_email })
  expect([answer.status, answer.json.code]).toEqual([status, code])
  expect(answer.json.detail).toMatch(/^\S.*\. [A-Z].*\.$/)
  expect(world.journal.read()).toHaveLength(before)
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
  expect(mock.tenants.ofKey(key).journal.read().length).toBeGreaterThan(0)
})

test('resetting one world leaves the others alone', async () => {
  const { steerOwn, created, post, details } = admin()
  const other = { Authorization: freshKey() }
  const theirs = (await post('/api/v1/workflows', workflow(), other)).json
  const { workflow_id } = await created()
  await steerOwn('POST', '/reset')
  expect((await details(workflow_id)).status).toBe(404)
  expect((await details(theirs.workflow_id, other)).status).toBe(200)
})

test('reading or resetting an unused key opens no world', async () => {
  const { steer, mock } = admin()
  const unusedKey = { Authorization: freshKey() }
  const before = mock.tenants.size
  expect((await steer('GET', '/requests', undefined, unusedKey)).json.requests).toEqual([])
  await steer('POST', '/reset', undefined, unusedKey)
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
  const { status, json } = await service().get('/__admin/health')
  expect([status, json.detail]).toEqual([404, expect.stringMatching(/admin API is off\. Start the mock .*admin token/)])
})

test('scenarios are listed and loaded; for an unknown one the answer lists all', async () => {
  const { steer, steerOwn, world, mock, key } = admin()
  const { current, scenarios } = (await steer('GET', '/scenarios')).json
  expect(current).toBe('empty')
  expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(scenarioNames)
  const { status, json } = await steerOwn('POST', '/scenarios/nothing')
  expect([status, json.code]).toEqual([404, 'unknown-scenario'])
  for (const name of nonEmpty(scenarioNames)) expect(json.detail).toContain(name)
  expect(mock.tenants.ofKey(key)).toBe(world)
  expect((await steerOwn('POST', '/scenarios/stuck-approval')).status).toBe(204)
  expect(mock.tenants.ofKey(key).journal.read(undefined, 'ExecutionStarted')).not.toEqual([])
})

test('faults fail the calls that they name, as often as they say', async () => {
  const { steer, create, details } = admin()
  await steer('PUT', '/settings', { faults: [{ operation_id: 'createWorkflow', probability: 1, status: 400 }] })
  const { status, json } = await create()
  expect([status, json.code]).toEqual([400, 'injected-fault'])
  expect((await details('wf_unknown')).status).toBe(404)
  await steer('PUT', '/settings', { faults: [{ probability: 1, status: 401 }] })
  expect((await create()).headers.get('WWW-Authenticate')).toContain('Authorization')
  await steer('PUT', '/settings', {})
  expect((await create()).status).toBe(201)
})

test.each([
  [{ faults: [{ probability: 1.5, status: 503 }] }, '/faults/0/probability', /./],
  [{ faults: [{ probability: 1, status: 200 }] }, '/faults/0/status', /./],
  [{ approvers: 'sometimes' }, '/approvers', /./],
  [{ latency: { min_ms: -1, max_ms: 0 } }, '/latency/min_ms', /./],
  [{ rate_limit: '5' }, '/rate_limit', /./],
  [{ colour: 'red' }, '', /./],
  [{ latency: { min_ms: 2, max_ms: 1 } }, undefined, /max_ms is below/],
  [{ faults: [{ probability: 1, status: 503, operation_id: 'dance' }] }, undefined, /no operation 'dance'/],
])('settings $0 are refused', async (body, pointer, reason) => {
  const { steer } = admin()
  const { status, json } = await steer('PUT', '/settings', body)
  expect([status, json.errors?.[0].pointer, json.detail]).toEqual([400, pointer, expect.stringMatching(reason)])
  expect((await steer('GET', '/settings')).json).toMatchObject({ approvers: 'manual', faults: [] })
})

test('50 executions and their decisions at once lose nothing', async () => {
  const { created, confirmed, execute, steerOwn, details } = admin()
  const { workflow_id } = await created()
  const { document_id } = await confirmed()
  const started = await Promise.all(Array.from({ length: 50 }, () => execute(workflow_id, document_id)))
  await Promise.all(
    started.map(({ json: { execution_id, steps } }) => {
      const body = { step_id: 'legal', decision: 'approved', approver_email: steps[0].assignee.email }
      return steerOwn('POST', `/executions/${execution_id}/decision`, body)
    }),
  )
  const { execution_metrics, step_performance } = (await details(workflow_id)).json
  expect(execution_metrics).toMatchObject({ total: 50, running: 50 })
  expect(step_performance).toMatchObject([
    { approved: 50, assigned: 0 },
    { approved: 0, assigned: 50 },
  ])
})
