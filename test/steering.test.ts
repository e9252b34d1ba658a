import { expect, test } from 'vitest'
import { createMock } from '../src/index.ts'
import { clientOf, freshKey, service } from './support/service.ts'
import { storedBytes } from './support/stored.ts'

test('a mock loads the scenario that it is given by name, and requests wait for it', async () => {
  const mock = createMock({ scenario: 'rejected', admin: { trusting: true } })
  const response = await mock.fetch(new Request('http://mock.test/__admin/scenarios'))
  expect((await response.json()).current).toBe('rejected')
  const { journal } = mock.tenants.ofKey(freshKey())
  expect(journal.read().length).toBeGreaterThan(0)
})

test('a reset goes back to the scenario of the options, not to one loaded later', async () => {
  const mock = createMock({ scenario: 'rejected' })
  await mock.ready
  await mock.scenario('busy-quarter')
  expect(mock.tenants.scenario.name).toBe('busy-quarter')
  mock.reset()
  expect(mock.tenants.scenario.name).toBe('rejected')
})

test('after a reset no scheduled work of the old world runs', async () => {
  const { mock, key, world, executed } = service({ approvers: 'auto' })
  await executed()
  const before = world.journal.read().length
  mock.reset(key)
  world.clock.advance(90 * 86_400_000)
  expect(world.journal.read()).toHaveLength(before)
})

test('a reset releases the file budget of the old world', async () => {
  const { mock, key, stored } = service({ maxStoredBytes: 256 })
  await stored()
  mock.reset(key)
  const upload = await stored()
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toHaveLength(256)
})

test('the decision of one of two parallel steps is shown immediately', async () => {
  const { mock, call, executed } = service()
  const { execution_id: executionId, workflow_id } = await executed({ isSequential: false })
  const states = async () => {
    const { json } = await call('GET', `/api/v1/workflows/${workflow_id}`)
    return json.recent_executions[0].steps.map(({ status }: { status: string }) => status)
  }
  const before = await states()
  mock.decide({ execution_id: executionId, step_id: 'legal', decision: 'approved' })
  expect(await states()).toEqual(['approved', before[1]])
})

test('a scenario for a key changes neither its clock nor its settings', async () => {
  const { mock, key, world } = service({ approvers: 'auto', clockSpeed: 1 })
  mock.setSettings({ approvers: 'manual' }, key)
  mock.setSpeed(0, key)
  mock.advance('P10D', key)
  const before = world.clock.now()
  await mock.scenario('first-day', key)
  const { clock, settings } = mock.tenants.ofKey(key)
  expect([clock.now(), clock.speed, settings.approvers]).toEqual([before, 0, 'manual'])
})

test('an unknown scenario is refused with a list of the scenarios', async () => {
  // @ts-expect-error a name of no scenario does not compile either
  const create = () => createMock({ scenario: 'buzy' })
  expect(create).toThrow(/no scenario 'buzy'. Use one of empty, first-day, busy-quarter/)
  // @ts-expect-error the same
  await expect(createMock().scenario('buzy')).rejects.toThrow(RangeError)
})

test.each([
  ['clockSpeed', -1],
  ['clockSpeed', Number.NaN],
  ['startTime', Number.NaN],
  ['maxUploadBytes', Number.NaN],
  ['maxExecutions', 0],
  ['latency', 200],
  ['rateLimit', -1],
  ['approvers', 'nobody'],
])('the option %s cannot be %s', (name, value) => {
  expect(() => createMock({ [name]: value })).toThrow(RangeError)
})

test('withdrawn work is not reported as work in hand', async () => {
  const { mock, call, created, confirmed } = service()
  const { workflow_id } = await created({ isSequential: false })
  const { document_id } = await confirmed()
  const execute = async () => {
    const body = { document_id, submitter_email: 'sam@example.com' }
    return (await call('POST', `/api/v1/workflows/${workflow_id}/execute`, body)).json
  }
  const { execution_id: executionId } = await execute()
  mock.advance('PT300M')
  await execute()
  mock.advance('PT1M')
  mock.decide({ execution_id: executionId, step_id: 'legal', decision: 'rejected' })
  mock.advance('PT1M')
  const { candidates } = (await execute()).steps[1].routing
  expect(candidates[0].reason).toMatch(/; 1 open\.$/)
})

test('a decision is the assignee’s unless it names an approver', async () => {
  const { mock, key, executed } = service()
  const { execution_id } = await executed()
  const decide = (step_id: string, decision: 'approved' | 'rejected', as?: string) =>
    mock.decide({ execution_id, step_id, decision }, as)
  expect(decide('legal', 'approved').status).toBe('running')
  expect(decide('finance', 'rejected', key).status).toBe('rejected')
  expect(() => decide('finance', 'approved')).toThrow(/rejected, not assigned/)
})

test('time moves by milliseconds or by an ISO 8601 duration, in one world or in all', async () => {
  const { mock, key, world } = service()
  const other = mock.tenants.ofKey(freshKey())
  const begun = world.clock.now()
  mock.advance('PT2H', key)
  expect([world.clock.now() - begun, other.clock.now() - begun]).toEqual([7_200_000, 0])
  mock.advance(500)
  expect([world.clock.now() - begun, other.clock.now() - begun]).toEqual([7_200_500, 500])
})

test.each([
  ['PT1.23456S', 1235],
  ['PT12345678901S', 12_345_678_901_000],
  ['P1W2DT3H4M5.5S', 604_800_000 + 2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5500],
  ['PT0S', 0],
  [0, 0],
])('the clock advances by %j, which is %i milliseconds', (duration, ms) => {
  const { mock, world } = service()
  const begun = world.clock.now()
  mock.advance(duration)
  expect(world.clock.now() - begun).toBe(ms)
})

test.each(['2 hours', '-PT2H', 'PT1H30', 'P', 'PT', '', -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'time does not move by %j',
  (duration) => {
    const { mock, world } = service()
    const begun = world.clock.now()
    expect(() => mock.advance(duration)).toThrow(`The clock cannot advance by '${duration}'.`)
    expect(world.clock.now()).toBe(begun)
  },
)

test('omitted settings return to their values at the start', async () => {
  const latency = { minMs: 0, maxMs: 1 }
  const { mock, key, world } = service({ latency })
  mock.setSettings({ approvers: 'instant', faults: [{ probability: 1, status: 503 }] }, key)
  mock.setSettings({}, key)
  expect(world.settings).toEqual({ approvers: 'manual', latency, faults: [] })
})

test.each([
  [{ approvers: 'sometimes' }, /approvers is 'sometimes'\. Use one of auto, instant, manual/],
  [{ latency: { minMs: 5, maxMs: 1 } }, /latency is from 5 to 1 ms/],
  [{ latency: { minMs: 0, maxMs: Number.NaN } }, /latency/],
  [{ latency: { minMs: 0, maxMs: 900, p50Ms: 80 } }, /p50 80 and p99 undefined ms\. Set both/],
  [{ latency: { minMs: 0, maxMs: 900, p50Ms: 80, p99Ms: 901 } }, /within 0 to 900 ms/],
  [{ latency: { minMs: 0, maxMs: 900, p50Ms: 0, p99Ms: 80 } }, /above 0/],
  [{ rateLimit: Number.NaN }, /rateLimit is NaN/],
  [{ rateLimit: 1e-300 }, /from 0\.001 to 1000000/],
  [{ faults: [{ probability: 2, status: 503 }] }, /probability 2/],
  [{ faults: [{ probability: 1, status: 99 }] }, /status 99/],
])('the settings $0 are refused', (settings, message) => {
  const { mock, world } = service()
  const before = world.settings
  expect(() => mock.setSettings(settings as object)).toThrow(message)
  expect(world.settings).toBe(before)
})

test('a mock accepts a request, or an address with the parts of a request', async () => {
  const { mock, key } = service()
  const headers = { Authorization: key }
  for (const address of ['http://mock.test/api/v1/workflows/wf_1', new URL('http://mock.test/api/v1/workflows/wf_1')]) {
    expect((await mock.fetch(address, { headers })).status).toBe(404)
    expect((await mock.fetch(new Request(address, { headers }))).status).toBe(404)
  }
})

test('the journal is read for one world or for all, in the order of time', async () => {
  const { mock, key, created } = service()
  await created()
  await clientOf(mock).requested()
  mock.advance('PT1H')
  await created()
  expect(mock.journal.read(key).map(({ type }) => type)).toEqual(['WorkflowCreated', 'WorkflowCreated'])
  const all = ['WorkflowCreated', 'UploadRequested', 'WorkflowCreated']
  expect(mock.journal.read().map(({ type }) => type)).toEqual(all)
  expect(new Set(mock.journal.read().map(({ tenant_id }) => tenant_id)).size).toBe(2)
})
