import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { scenarioNames } from '../../mocks/scenarios/names.ts'
import { admin } from '../support/admin.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { execution, freshKey, service, start, workflow } from '../support/service.ts'

test('health shows that the mock is running', async () => {
  const { steer } = admin()
  expect((await steer('GET', '/health')).json).toMatchObject({ status: 'ok', worlds: 1 })
})

test('advancing the clock runs everything that is due before it answers', async () => {
  const { steer, executed, call, mine } = admin({ approvers: 'auto' })
  const { workflow_id } = await executed()
  const advanced = await steer('POST', '/clock/advance', { duration: 'P30D' }, mine)
  expect(advanced.json).toEqual({ now: new Date(start + 30 * 86_400_000).toISOString(), speed: 0 })
  const { json } = await call('GET', `/api/v1/workflows/${workflow_id}`)
  expect(json.execution_metrics.running).toBe(0)
})

test('a key moves the clock of its own world; without one all worlds move', async () => {
  const { steer, mine } = admin()
  const other = { Authorization: freshKey() }
  const time = async (headers: Record<string, string>) =>
    Date.parse((await steer('GET', '/clock', undefined, headers)).json.now)
  await time(other)
  await steer('POST', '/clock/advance', { duration: 'PT1H' }, mine)
  expect([await time(mine), await time(other), await time({})]).toEqual([start + 3_600_000, start, start])
  await steer('POST', '/clock/advance', { duration: 'PT2H' })
  expect([await time(mine), await time(other), await time({})]).toEqual([
    start + 10_800_000,
    start + 7_200_000,
    start + 7_200_000,
  ])
  expect(await time({ Authorization: freshKey() })).toBe(start + 7_200_000)
})

test.each(['PT-2H', 'P', 'P1Y', ''])('advancing by %j is refused, and the time stays', async (duration) => {
  const { steer } = admin()
  const { status, json } = await steer('POST', '/clock/advance', { duration })
  expect([status, json.code, json.errors[0].pointer]).toEqual([400, 'invalid-request', '/duration'])
  expect((await steer('GET', '/clock')).json.now).toBe(new Date(start).toISOString())
})

test('time ends with the year 9999, and stays there', async () => {
  const { steer, requested, put, pdf } = admin()
  const far = { duration: 'P9999W99999DT999999H' }
  const advance = async () => steer('POST', '/clock/advance', far)
  let answer = await advance()
  for (; answer.status === 200; answer = await advance()) expect(answer.json.now).toMatch(/^\d{4}-/)
  expect([answer.status, answer.json.code]).toEqual([400, 'invalid-parameter'])
  const upload = await requested()
  expect((await put(upload.upload_url, pdf, upload.headers)).status).toBe(200)
})

test('a step is decided as its assignee, and the execution moves on', async () => {
  const { steer, executed, call, mine } = admin()
  const { execution_id, workflow_id, steps } = await executed()
  const email = steps[0].assignee.email
  const path = `/executions/${execution_id}/decision`
  const decided = await steer('POST', path, { step_id: 'legal', decision: 'approved', approver_email: email }, mine)
  expect([decided.status, decided.json]).toEqual([200, { execution_id, status: 'running' }])
  const { json } = await call('GET', `/api/v1/workflows/${workflow_id}`)
  expect(json.recent_executions[0].steps.map((step: { status: string }) => step.status)).toEqual([
    'approved',
    'assigned',
  ])
})

test('steps are decided whose names mean something in a URL', async () => {
  const { steer, call, confirmed, mine } = admin()
  const {
    steps: [legal],
    ...rest
  } = workflow()
  const steps = ['.', '..'].map((step_id, index) => ({ ...legal, step_id, name: step_id, order: index + 1 }))
  const { json } = await call('POST', '/api/v1/workflows', { ...rest, steps })
  const { document_id } = await confirmed()
  const started = await call('POST', `/api/v1/workflows/${json.workflow_id}/execute`, execution(document_id))
  const { execution_id } = started.json
  const { email: approver_email } = started.json.steps[0].assignee
  for (const step_id of ['.', '..'] as const) {
    const body = { step_id, decision: 'approved', approver_email }
    expect((await steer('POST', `/executions/${execution_id}/decision`, body, mine)).status).toBe(200)
  }
})

test.each([
  ['as another approver', 'legal', 'ines@example.com', 409, 'not-the-assignee'],
  ['on a step that waits', 'finance', 'ines@example.com', 409, 'step-not-assigned'],
  ['on an unknown step', 'nothing', 'ines@example.com', 404, 'step-not-found'],
])('a decision %s is refused, and nothing changes', async (_, step_id, approver_email, status, code) => {
  const { steer, executed, world } = admin()
  const { execution_id } = await executed()
  const before = world.journal.read().length
  const body = { step_id, decision: 'approved', approver_email }
  const answer = await steer('POST', `/executions/${execution_id}/decision`, body)
  expect([answer.status, answer.json.code]).toEqual([status, code])
  expect(answer.json.detail).toMatch(/^\S.*\. [A-Z].*\.$/)
  expect(world.journal.read()).toHaveLength(before)
})

test('a decision twice, or on an unknown execution, is refused', async () => {
  const { steer, executed } = admin()
  const { execution_id, steps } = await executed()
  const body = { step_id: 'legal', decision: 'approved', approver_email: steps[0].assignee.email }
  await steer('POST', `/executions/${execution_id}/decision`, body)
  const twice = await steer('POST', `/executions/${execution_id}/decision`, body)
  expect([twice.status, twice.json.code]).toEqual([409, 'step-not-assigned'])
  const unknown = await steer('POST', '/executions/exe_unknown/decision', body)
  expect([unknown.status, unknown.json.code]).toEqual([404, 'execution-not-found'])
})

test('reset brings back the exact state of the start: worlds, clock, settings and log', async () => {
  const { steer, created, mine, key, mock } = admin({ scenario: scenarios.rejected })
  const seen = async () => ({
    journal: (await steer('GET', '/journal', undefined, mine)).json,
    clock: (await steer('GET', '/clock', undefined, mine)).json,
    settings: (await steer('GET', '/settings', undefined, mine)).json,
    requests: (await steer('GET', '/requests', undefined, mine)).json,
  })
  const before = await seen()
  await created()
  await steer('PUT', '/settings', { approvers: 'instant', faults: [{ probability: 0.5, status: 503 }] })
  await steer('POST', '/clock/advance', { duration: 'PT5H' })
  await steer('PUT', '/clock', { speed: 60 })
  expect(await seen()).not.toEqual(before)
  await steer('POST', '/reset')
  expect(await seen()).toEqual(before)
  expect(mock.tenants.ofKey(key).journal.read().length).toBeGreaterThan(0)
})

test('resetting one world leaves the others alone', async () => {
  const { steer, created, call, mine, send } = admin()
  const other = { Authorization: freshKey() }
  const theirs = (await call('POST', '/api/v1/workflows', workflow(), other)).json
  const { workflow_id } = await created()
  await steer('POST', '/reset', undefined, mine)
  expect((await call('GET', `/api/v1/workflows/${workflow_id}`)).status).toBe(404)
  const get = new Request(`http://mock.test/api/v1/workflows/${theirs.workflow_id}`, { headers: other })
  expect((await send(get)).status).toBe(200)
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
  const { steer, mine } = admin({ scenario: scenarios['busy-quarter'], approvers: 'auto' })
  const { json } = await steer('GET', '/journal?type=WorkflowCreated&limit=5', undefined, mine)
  expect(json.events.length).toBeGreaterThan(1)
  expect(json.events).toEqual(json.events.map(() => expect.objectContaining({ type: 'WorkflowCreated' })))
  expect((await steer('GET', '/journal?type=Nothing', undefined, mine)).json.events).toEqual([])
})

test('a mock without the admin API says how to have one', async () => {
  const { mock } = service()
  const answer = await mock.fetch('http://localhost/__admin/health')
  expect(answer.status).toBe(404)
  expect((await answer.json()).detail).toMatch(/admin API is off\. Start the mock .*admin token/)
})

test('scenarios are listed and loaded; for an unknown one the answer lists all', async () => {
  const { steer, mine, world, mock, key } = admin()
  const { json } = await steer('GET', '/scenarios')
  expect(json.current).toBe('empty')
  const names = json.scenarios.map(({ name }: { name: string }) => name)
  expect(names).toEqual(scenarioNames)
  const unknown = await steer('POST', '/scenarios/nothing', undefined, mine)
  expect([unknown.status, unknown.json.code]).toEqual([404, 'unknown-scenario'])
  for (const name of nonEmpty(names)) expect(unknown.json.detail).toContain(name)
  expect(mock.tenants.ofKey(key)).toBe(world)
  expect((await steer('POST', '/scenarios/stuck-approval', undefined, mine)).status).toBe(204)
  expect(
    mock.tenants
      .ofKey(key)
      .journal.read()
      .map(({ type }) => type),
  ).toContain('ExecutionStarted')
})

test('faults fail the calls that they name, as often as they say', async () => {
  const { steer, call, created } = admin()
  await steer('PUT', '/settings', { faults: [{ operation_id: 'createWorkflow', probability: 1, status: 400 }] })
  const failed = await call('POST', '/api/v1/workflows', workflow())
  expect([failed.status, failed.json.code]).toEqual([400, 'injected-fault'])
  expect((await call('GET', '/api/v1/workflows/wf_unknown')).status).toBe(404)
  await steer('PUT', '/settings', { faults: [{ probability: 1, status: 401 }] })
  const unauthorized = await call('POST', '/api/v1/workflows', workflow())
  expect(unauthorized.headers.get('WWW-Authenticate')).toContain('Authorization')
  await steer('PUT', '/settings', {})
  expect((await created()).workflow_id).toMatch(/^wf_/)
})

test.each([
  [{ faults: [{ probability: 1.5, status: 503 }] }, '/faults/0/probability'],
  [{ faults: [{ probability: 1, status: 200 }] }, '/faults/0/status'],
  [{ approvers: 'sometimes' }, '/approvers'],
  [{ latency: { min_ms: -1, max_ms: 0 } }, '/latency/min_ms'],
  [{ rate_limit: '5' }, '/rate_limit'],
  [{ colour: 'red' }, ''],
])('settings $0 are refused and stay', async (body, pointer) => {
  const { steer } = admin()
  const { status, json } = await steer('PUT', '/settings', body)
  expect([status, json.errors[0].pointer]).toEqual([400, pointer])
  expect((await steer('GET', '/settings')).json).toMatchObject({ approvers: 'manual', faults: [] })
})

test.each([
  [{ latency: { min_ms: 2, max_ms: 1 } }, /max_ms is below/],
  [{ faults: [{ probability: 1, status: 503, operation_id: 'dance' }] }, /no operation 'dance'/],
])('settings $0 are refused with a reason', async (body, reason) => {
  const { steer } = admin()
  const { status, json } = await steer('PUT', '/settings', body)
  expect([status, json.detail]).toEqual([400, expect.stringMatching(reason)])
})

test('the log of requests is bounded, and shows neither keys nor signatures', async () => {
  const { steer, mock, requested, put, pdf, key } = admin()
  const { upload_url, headers } = await requested()
  await put(upload_url, pdf, headers)
  for (let index = 0; index < 1100; index += 1) await mock.fetch(new Request('http://mock.test/nowhere'))
  expect((await steer('GET', '/requests')).json.requests).toHaveLength(1000)
  expect((await steer('GET', '/requests?limit=10000')).json.requests).toHaveLength(1000)
  await steer('POST', '/reset')
  expect((await steer('GET', '/requests')).json.requests).toEqual([])
  await requested()
  const mine = await steer('GET', '/requests?limit=5', undefined, { Authorization: key })
  expect(mine.json.requests).toMatchObject([{ method: 'POST', path: '/api/v1/upload/', status: 200 }])
  expect(JSON.stringify(mine.json)).not.toContain(key)
})

test('50 executions and their decisions at once lose nothing', async () => {
  const { created, confirmed, call, steer, mine } = admin()
  const { workflow_id } = await created()
  const { document_id } = await confirmed()
  const started = await Promise.all(
    Array.from({ length: 50 }, () => call('POST', `/api/v1/workflows/${workflow_id}/execute`, execution(document_id))),
  )
  await Promise.all(
    started.map(({ json }) => {
      const body = { step_id: 'legal', decision: 'approved', approver_email: json.steps[0].assignee.email }
      return steer('POST', `/executions/${json.execution_id}/decision`, body, mine)
    }),
  )
  const { json } = await call('GET', `/api/v1/workflows/${workflow_id}`)
  expect(json.execution_metrics).toMatchObject({ total: 50, running: 50 })
  expect(
    json.step_performance.map((step: { approved: number; assigned: number }) => [step.approved, step.assigned]),
  ).toEqual([
    [50, 0],
    [0, 50],
  ])
})
