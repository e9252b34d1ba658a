import { expect, test } from 'vitest'
import { Advice } from '../../src/domain/advice/advice.ts'
import { doAtOnce } from '../../src/domain/work.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import type { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { createScenario, play, recommendationsFor, run, stillWorld, workflowId } from '../support/simulation.ts'

const approver = (pace: number) => ({ pace, spread: 0.4, approvalRate: 0.97 })
const { steps } = createScenario(
  [
    { estimatedMinutes: 60, approvers: [approver(1)] },
    { estimatedMinutes: 60, approvers: [approver(3), approver(3)] },
  ],
  100,
  1,
)
const workflow = { name: '', description: '', isSequential: true, steps }

/** Creates a world with such a history. Calls `look` after the start of each execution. */
function pastOf(executions: number, look: (world: World) => void = () => {}): World {
  const world = stillWorld({ settings: defaultSettings })
  const { handle } = world
  world.handle = (command) => {
    handle.call(world, command)
    look(world)
  }
  play(world, { workflow, meanGapMinutes: 100, executions, seed: 1 })
  return world
}

test('recommendations follow from what happened, never from when they were read', () => {
  const advise = (world: World) => doAtOnce(world.advice(workflowId).recommend())
  const readOnce = pastOf(200)
  const readAlways = pastOf(200, (world) => void (world.journal.read().length > 1 && advise(world)))
  expect(advise(readOnce).length).toBeGreaterThan(0)
  expect(advise(readAlways)).toEqual(advise(readOnce))
})

test('they follow from figures at most a sixteenth of the decisions old', () => {
  const analytics = run(createScenario([{ estimatedMinutes: 60, approvers: [approver(4)] }], 400, 100), 1)
  const advice = new Advice(analytics)
  let last = doAtOnce(advice.recommend())
  const fresh: number[] = []
  for (let decisions = 1; decisions <= 400; decisions += 1) {
    advice.count()
    const now = doAtOnce(advice.recommend())
    // The list is recomputed only if the figures were read again.
    if (now !== last) fresh.push(decisions)
    last = now
  }
  expect(fresh.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
  for (const [index, at] of nonEmpty(fresh.slice(1).entries())) {
    expect(at - (fresh[index] ?? 0)).toBeLessThanOrEqual(Math.max(1, Math.ceil(at / 16)))
  }
  expect(doAtOnce(advice.recommend())).toEqual(recommendationsFor(analytics))
})
