import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/world/settings.ts'
import { Slices } from '../../src/world/slices.ts'
import { Tenants } from '../../src/world/tenants.ts'
import type { World } from '../../src/world/world.ts'
import { byHand, executionsIn, workflowId } from '../support/simulation.ts'

/** Creates tenants whose work continues when a test says so. A slice of n milliseconds is n steps of work. */
function tenantsInSlices(sliceMs = 50) {
  let steps = 0
  const later: (() => void)[] = []
  const scheduler = { now: () => ++steps, later: (run: () => void) => void later.push(run) }
  const slices = new Slices({ sliceMs, scheduler })
  const tenants = new Tenants({ seed: '1', clockSpeed: 0, startTime: 0, settings: byHand, slices })
  const turn = () => later.shift()?.()
  const finish = () => {
    while (later.length > 0) turn()
  }
  return { tenants, turn, finish }
}

function executions(world: World, count: number): void {
  const { begin } = executionsIn(world)
  for (let index = 0; index < count; index += 1) begin(`exe_${index}`)
}

const approvedIn = (world: World) => world.analytics(workflowId).metrics().approved

const cases: [what: string, begin: (tenants: Tenants, world: World) => unknown][] = [
  [
    'switching to instant approvers',
    (tenants, { tenantId }) =>
      tenants.withWorld(tenantId, (world) => world.changeSettings({ ...defaultSettings, approvers: 'instant' })),
  ],
  [
    'advancing the clock',
    (tenants, world) => {
      world.setSettings(defaultSettings)
      return tenants.withWorld(world.tenantId, ({ clock }) => clock.pass(365 * 86_400_000))
    },
  ],
]

test.each(cases)('%s is sliced, and other keys are served between', async (_, begin) => {
  const { tenants, turn, finish } = tenantsInSlices()
  const world = tenants.ofKey('test_busy')
  const other = tenants.ofKey('test_other')
  executions(world, 500)
  const done = begin(tenants, world)
  for (let before = approvedIn(world), turns = 0; turns < 8; turns += 1) {
    turn()
    // A decision takes at least one step, and a slice has fifty.
    expect(approvedIn(world) - before).toBeLessThanOrEqual(50)
    before = approvedIn(world)
    expect(tenants.withWorld(other.tenantId, ({ tenantId }) => tenantId)).toBe(other.tenantId)
  }
  const halfway = approvedIn(world)
  finish()
  await done
  expect(halfway).toBeLessThan(approvedIn(world))
})

/** Creates a tenant whose 500 executions are being approved. */
function busy() {
  const { tenants, finish } = tenantsInSlices()
  const world = tenants.ofKey('test_busy')
  executions(world, 500)
  return { tenants, finish, world, done: tenants.setSettings({ ...defaultSettings, approvers: 'instant' }) }
}

test('a request and a reset of the same key wait for earlier work', async () => {
  const { tenants, finish, world, done } = busy()
  const seen = tenants.withWorld(world.tenantId, approvedIn)
  const reset = tenants.reset(world.tenantId)
  expect(seen).toBeInstanceOf(Promise)
  expect(approvedIn(world)).toBeLessThan(500)
  finish()
  await Promise.all([done, reset])
  expect([await seen, approvedIn(world)]).toEqual([500, 500])
  expect(tenants.ofKey('test_busy').journal.length).toBe(0)
})

test('a synchronous call finds the work done', async () => {
  const { tenants, finish, done } = busy()
  expect(approvedIn(tenants.ofKey('test_busy'))).toBe(500)
  finish()
  await done
})

test('a world that is being opened receives changes to all worlds', async () => {
  const { tenants, finish } = tenantsInSlices()
  const play = function* (world: World) {
    executions(world, 100)
    for (let step = 0; step < 100; step += 1) yield
  }
  await tenants.load({ ...tenants.scenario, play })
  const opened = tenants.withWorld(tenants.idOf('test_new'), (world) => world)
  expect(opened).toBeInstanceOf(Promise)
  const settings = { ...byHand, latency: { minMs: 1, maxMs: 2 } }
  const changed = tenants.setSettings(settings)
  finish()
  await changed
  expect((await opened).settings).toEqual(settings)
})
