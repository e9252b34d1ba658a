import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../src/world/events.ts'
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
  for (const priority of priorities) {
    ids.push((await mine.execute(workflow_id, document_id, { priority })).json.execution_id)
  }
  return { ...mine, workflow_id, ids }
}

const decisions = (journal: readonly RecordedEvent[]) =>
  journal.flatMap((event) => (event.type === 'StepDecided' ? [event] : []))

test('an approver decides one step at a time, the most urgent first', async () => {
  const { world, ids } = await oneDesk(['normal', 'low', 'normal', 'high'])
  world.clock.advance(30 * day)
  const decided = decisions(world.journal.read())
  expect(decided.map(({ executionId }) => ids.indexOf(executionId))).toEqual([0, 3, 2, 1])
  for (const [index, { takenUpAt, at }] of nonEmpty(decided.entries())) {
    expect(takenUpAt).toBe(index === 0 ? takenUpAt : decided[index - 1]?.at)
    expect(at).toBeGreaterThan(takenUpAt)
  }
})

test('a decision by hand on queued work delays what its approver works on', async () => {
  const { decide, world, ids } = await oneDesk(['normal', 'normal'])
  world.clock.advance(5 * 60_000)
  decide(ids[1] ?? '', 'legal')
  world.clock.advance(30 * day)
  const [byHand, inHand] = decisions(world.journal.read())
  expect(byHand?.executionId).toBe(ids[1])
  expect(inHand?.takenUpAt).toBe(byHand?.at)
})

const like = { version: 1 as const, pace: { pickUpMs: 800, stepMs: 500 } }

test('with a time for steps, no execution waits for another', async () => {
  const { world, ids } = await oneDesk(['normal', 'low', 'high'], { like })
  world.clock.advance(1299)
  expect(decisions(world.journal.read())).toEqual([])
  world.clock.advance(1)
  const decided = decisions(world.journal.read())
  expect(decided.map(({ executionId }) => executionId).toSorted()).toEqual(ids.toSorted())
  expect(decided.every(({ decision }) => decision === 'approved')).toBe(true)
})

test('at a pace, only the first steps wait until they are taken up', async () => {
  const { world, executed } = service({ approvers: 'auto', like })
  await executed()
  world.clock.advance(30 * day)
  const events = world.journal.read()
  const started = events.find(({ type }) => type === 'ExecutionStarted')?.at ?? 0
  const times = decisions(events).map(({ takenUpAt, at }) => [takenUpAt - started, at - started])
  expect(times).toEqual([
    [800, 1300],
    [1300, 1800],
  ])
})

test('instant approvers have approved before the answer is there', async () => {
  const { executed } = service({ approvers: 'instant' })
  const { status, steps } = await executed()
  const approved = { status: 'approved' }
  expect({ status, steps }).toMatchObject({ ...approved, steps: [approved, approved] })
})

test.each([
  ['nothing is decided with manual approvers', 'manual', [], [0]],
  ['open assignments are taken up when approvers begin to decide', 'manual', ['auto'], [0, 2]],
  // Work waits until the approvers decide again.
  ['work in hand is released when approvers stop deciding', 'auto', ['manual', 'auto'], [0, 2]],
] as const)('%s', async (_, approvers, modes, counts) => {
  const { world } = await oneDesk(['high', 'high'], { approvers })
  const seen: number[] = []
  const wait = () => {
    world.clock.advance(30 * day)
    seen.push(decisions(world.journal.read()).length)
  }
  if (approvers === 'manual') wait()
  for (const mode of modes) {
    world.setSettings({ ...world.settings, approvers: mode })
    wait()
  }
  expect(seen).toEqual(counts)
})

test('a decision by hand removes the assignment from the desk', async () => {
  const { world, ids, decide } = await oneDesk(['high', 'high'])
  decide(ids[0] ?? '', 'legal')
  world.clock.advance(30 * day)
  expect(decisions(world.journal.read())).toHaveLength(2)
})
