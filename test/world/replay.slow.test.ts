import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../src/world/events.ts'
import type { World } from '../../src/world/world.ts'
import { executionsIn, oneStep, stillWorld, workflowId } from '../support/simulation.ts'

const maxExecutions = 20
const workflowIds = [workflowId, 'wf_other'] as const

/** An event of a random history: an execution starts, or a running one is decided. */
const happening = fc.oneof(
  { weight: 10, arbitrary: fc.record({ start: fc.constantFrom(...workflowIds) }) },
  { weight: 9, arbitrary: fc.record({ decide: fc.nat(1000) }) },
)

/** Creates a world with such a history. Returns it with its events. */
function playHistory(happenings: readonly ({ start: string } | { decide: number })[]) {
  const events: RecordedEvent[] = []
  const record = (more: readonly object[]) =>
    void events.push(...more.filter((one): one is RecordedEvent => 'type' in one))
  const { world, begin, decide } = executionsIn(stillWorld({ maxExecutions, record }))
  world.handle({ type: 'CreateWorkflow', workflowId: workflowIds[1], definition: oneStep })
  const running: string[] = []
  for (const [index, what] of happenings.entries()) {
    if ('start' in what) {
      begin(`exe_${index}`, what.start)
      running.push(`exe_${index}`)
    } else for (const id of running.splice(what.decide % Math.max(running.length, 1), 1)) decide(id)
  }
  return { world, events }
}

/** Replays events in a new world. Returns it with the number of executions that it forgot as soon as they had ended. */
function replay(events: readonly RecordedEvent[]) {
  const world = stillWorld({ maxExecutions })
  let forgotten = 0
  for (const [index, event] of events.entries()) {
    const rest = events.slice(index + 1)
    const endsLater = (other: RecordedEvent) =>
      other.type === 'ExecutionCompleted' && 'workflowId' in event && other.workflowId === event.workflowId
    const isEnd = event.type === 'ExecutionCompleted'
    world.apply(event, rest.length, ...(isEnd ? [rest.filter(endsLater).length] : []))
    if (isEnd && !world.hasExecution(event.executionId)) forgotten += 1
  }
  return { world, forgotten }
}

const keptExecutions = (world: World) => workflowIds.map((id) => world.recentExecutions(id, 1000))

test('a world that replays its past keeps the executions that it kept before', () => {
  let forgotten = 0
  fc.assert(
    fc.property(fc.array(happening, { minLength: 200, maxLength: 400, size: 'max' }), (happenings) => {
      const { world, events } = playHistory(happenings)
      const again = replay(events)
      expect(keptExecutions(again.world)).toEqual(keptExecutions(world))
      forgotten += again.forgotten
    }),
    { numRuns: 50 },
  )
  expect(forgotten).toBeGreaterThan(0)
})

test('an execution that will not be kept is forgotten as soon as it has ended', () => {
  const happenings = Array.from({ length: 400 }, (_, index) => (index % 2 ? { decide: 0 } : { start: workflowId }))
  const { events } = playHistory(happenings)
  // Of 200 executions that end one after the other, 22 may be kept, and the one before them when it ends.
  expect(replay(events).forgotten).toBe(177)
})
