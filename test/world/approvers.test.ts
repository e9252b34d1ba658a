import { expect, test } from 'vitest'
import type { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { service, workflow } from '../support/service.ts'

const day = 24 * 3_600_000

/** Creates a mock with one approver for one step, and an execution for each of these priorities. */
async function oneDesk(priorities: readonly string[], options = {}) {
  const mine = service({ approvers: 'auto', ...options })
  const [step] = workflow().steps
  const steps = [{ ...step, approvers: [{ email: 'only@example.com', name: 'Only' }] }]
  const { workflow_id } = await mine.created({ steps })
  const { document_id } = await mine.confirmed()
  const ids: string[] = []
  for (const priority of priorities)
    ids.push((await mine.execute(workflow_id, document_id, { priority })).json.execution_id)
  /** Waits, and returns all decisions until then. */
  const decisionsAfter = (ms = 30 * day) => {
    mine.world.clock.advance(ms)
    return decisionsIn(mine.world)
  }
  return { ...mine, ids, decisionsAfter }
}

const decisionsIn = ({ journal }: World) =>
  journal.read().flatMap((event) => (event.type === 'StepDecided' ? [event] : []))

test('an approver decides one step at a time, the most urgent first', async () => {
  const { decisionsAfter, ids } = await oneDesk(['normal', 'low', 'normal', 'high'])
  const decided = decisionsAfter()
  expect(decided.map(({ executionId }) => ids.indexOf(executionId))).toEqual([0, 3, 2, 1])
  for (const [index, { takenUpAt, at }] of nonEmpty(decided.entries())) {
    expect(takenUpAt).toBe(index === 0 ? takenUpAt : decided[index - 1]?.at)
    expect(at).toBeGreaterThan(takenUpAt)
  }
})

test.each([
  ['in hand', 0],
  ['queued', 1],
])('a decision by hand on work that is %s delays what its approver does next', async (_, index) => {
  const { decide, decisionsAfter, ids } = await oneDesk(['normal', 'normal'])
  expect(decisionsAfter(60_000)).toEqual([])
  decide(ids[index] ?? '', 'legal')
  const [byHand, next, ...others] = decisionsAfter()
  expect([byHand?.executionId, next?.takenUpAt, others]).toEqual([ids[index], byHand?.at, []])
})

const like = { version: 1 as const, pace: { pickUpMs: 800, stepMs: 500 } }

test('with a time for steps, no execution waits for another', async () => {
  const { decisionsAfter, ids } = await oneDesk(['normal', 'low', 'high'], { like })
  expect(decisionsAfter(1299)).toEqual([])
  const decided = decisionsAfter(1)
  expect(decided.map(({ executionId }) => executionId).toSorted()).toEqual(ids.toSorted())
  expect(decided.every(({ decision }) => decision === 'approved')).toBe(true)
})

test('at a pace, only the first steps wait until they are taken up', async () => {
  const { world, executed } = service({ approvers: 'auto', like })
  await executed()
  world.clock.advance(30 * day)
  const started = world.journal.read(1, 'ExecutionStarted')[0]?.at ?? 0
  const times = decisionsIn(world).map(({ takenUpAt, at }) => [takenUpAt - started, at - started])
  expect(times).toEqual([
    [800, 1300],
    [1300, 1800],
  ])
})

test('instant approvers have approved before the answer is there', async () => {
  const { executed } = service({ approvers: 'instant' })
  const approved = { status: 'approved' }
  expect(await executed()).toMatchObject({ ...approved, steps: [approved, approved] })
})

test.each([
  ['nothing is decided with manual approvers', 'manual', [], [0]],
  ['open assignments are taken up when approvers begin to decide', 'manual', ['auto'], [0, 2]],
  // Work waits until the approvers decide again.
  ['work in hand is released when approvers stop deciding', 'auto', ['manual', 'auto'], [0, 2]],
] as const)('%s', async (_, approvers, modes, counts) => {
  const { world, decisionsAfter } = await oneDesk(['high', 'high'], { approvers })
  const seen = approvers === 'manual' ? [decisionsAfter().length] : []
  for (const mode of modes) {
    world.setSettings({ ...world.settings, approvers: mode })
    seen.push(decisionsAfter().length)
  }
  expect(seen).toEqual(counts)
})
