import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { type ScenarioName, scenarioNames } from '../../mocks/scenarios/names.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { service } from '../support/service.ts'

const key = 'test_scenario'

/** Creates a mock with a scenario. Returns the details of its workflows by name. */
async function begin(name: ScenarioName) {
  const { mock, world, details } = service({ scenario: scenarios[name] }, key)
  const ids = world.journal.read().flatMap((event) => (event.type === 'WorkflowCreated' ? [event.workflowId] : []))
  const all = await Promise.all(ids.map(async (id) => (await details(id)).json))
  return { mock, world, details: new Map(all.map((one) => [one.name, one])) }
}

const eventful = scenarioNames.filter((name) => name !== 'empty')

test.each(nonEmpty(scenarioNames))('the scenario %s has the name under which it is listed', (name) => {
  expect(scenarios[name].name).toBe(name)
})

test.each(nonEmpty(eventful))('%s is the same whenever it is played, and ends now', async (name) => {
  const [first, second] = [await begin(name), await begin(name)]
  // Only the names of files are drawn at random.
  const [one, other] = [first, second].map(({ world }) =>
    JSON.stringify(world.journal.read(), (name, value) => (name === 'file' ? undefined : value)),
  )
  expect(one).toEqual(other)
  expect(first.world.journal.read().length).toBeGreaterThan(0)
  expect(first.world.clock.now()).toBe(first.mock.tenants.clock.now())
  expect((first.world.journal.read().at(-1)?.at ?? 0) <= first.world.clock.now()).toBe(true)
})

test('two seeds play the same scenario with different people', async () => {
  const [one, other] = [1, 2].map((seed) => service({ seed, scenario: scenarios.rejected }, key).world.journal.read())
  expect(JSON.stringify(one)).not.toBe(JSON.stringify(other))
})

test('busy-quarter has hundreds of executions, and compliance is the bottleneck', async () => {
  const { details } = await begin('busy-quarter')
  const total = [...details.values()].reduce((sum, { execution_metrics }) => sum + execution_metrics.total, 0)
  expect(total).toBeGreaterThan(200)
  const { bottlenecks } = details.get('Supplier contract')
  expect(bottlenecks.map(({ step_id }: { step_id: string }) => step_id)).toEqual(['compliance'])
})

test('stuck-approval waits twelve days for an absent approver', async () => {
  const { details, world } = await begin('stuck-approval')
  const [execution] = details.get('Travel request').recent_executions
  const budget = execution.steps.find(({ step_id }: { step_id: string }) => step_id === 'budget')
  expect(budget).toMatchObject({ status: 'assigned', assignee: { email: 'away@example.com' } })
  expect((world.clock.now() - Date.parse(budget.assigned_at)) / 86_400_000).toBeCloseTo(12, 0)
})

test('rejected ends at its second step and skips the third', async () => {
  const { details } = await begin('rejected')
  const [execution] = details.get('Marketing claim').recent_executions
  const states = execution.steps.map(({ status }: { status: string }) => status)
  expect([execution.status, ...states]).toEqual(['rejected', 'approved', 'rejected', 'skipped'])
})

test('slow-approver shows who is slow, and routing avoids them', async () => {
  const { world } = await begin('slow-approver')
  const decisions = world.journal.read().flatMap((event) => (event.type === 'StepDecided' ? [event.email] : []))
  const slow = decisions.filter((email) => email === 'slow@example.com').length
  expect(decisions.length).toBeGreaterThan(100)
  expect(slow / decisions.length).toBeLessThan(0.25)
})

test('upload-expired has an address that storage refuses', async () => {
  const { world } = await begin('upload-expired')
  const requested = world.journal.read().find(({ type }) => type === 'UploadRequested')
  expect(world.clock.now() - (requested?.at ?? 0)).toBeGreaterThan(15 * 60_000)
})
