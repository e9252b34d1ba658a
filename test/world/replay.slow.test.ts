import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LogRecord } from '../../src/world/archive.ts'
import { Clock } from '../../src/world/clock.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'
import { confirmDocument } from '../support/simulation.ts'

const maxExecutions = 20
const email = 'ada@example.com'
const steps = [{ step_id: 'only', name: 'Only', order: 1, approvers: [{ email, name: 'Ada' }], estimated_duration: 5 }]
const definition = { name: '', description: '', isSequential: true, steps }
const workflowIds = ['wf_one', 'wf_two'] as const

function worldWith(record: (events: readonly LogRecord[]) => void = () => {}): World {
  const settings = { ...defaultSettings, approvers: 'manual' as const }
  const clock = new Clock({ speed: 0, start: 0 })
  return new World('replay', { seed: '1', clock, settings, record, maxExecutions })
}

/** An event of a random history: an execution starts, or a running one is decided. */
const happening = fc.oneof(
  { weight: 10, arbitrary: fc.record({ start: fc.constantFrom(...workflowIds) }) },
  { weight: 9, arbitrary: fc.record({ decide: fc.nat(1000) }) },
)

/** Creates a world with such a history. Returns it with its events. */
function playHistory(happenings: readonly ({ start: string } | { decide: number })[]) {
  const events: RecordedEvent[] = []
  const world = worldWith((more) => void events.push(...more.filter((one) => 'type' in one)))
  for (const workflowId of workflowIds) world.handle({ type: 'CreateWorkflow', workflowId, definition })
  const documentId = confirmDocument(world)
  const running: string[] = []
  for (const [index, what] of happenings.entries()) {
    if ('start' in what) {
      const executionId = `exe_${index}`
      const request = { document_id: documentId, priority: 'normal' }
      world.handle({ type: 'StartExecution', executionId, workflowId: what.start, request })
      running.push(executionId)
    } else {
      const [executionId] = running.splice(what.decide % Math.max(running.length, 1), 1)
      if (executionId === undefined) continue
      world.handle({ type: 'DecideStep', executionId, stepId: 'only', email, decision: 'approved' })
    }
  }
  return { world, events }
}

/** Replays events in a new world. Returns it with the number of executions that it forgot as soon as they had ended. */
function replay(events: readonly RecordedEvent[]) {
  const world = worldWith()
  let forgotten = 0
  for (const [index, event] of events.entries()) {
    const rest = events.slice(index + 1)
    if (event.type !== 'ExecutionCompleted') {
      world.apply(event, rest.length)
      continue
    }
    const { executionId, workflowId } = event
    const more = rest.filter((other) => other.type === 'ExecutionCompleted' && other.workflowId === workflowId).length
    world.apply(event, rest.length, more)
    if (!world.hasExecution(executionId)) forgotten += 1
  }
  return { world, forgotten }
}

const keptExecutions = (world: World) => workflowIds.map((workflowId) => world.recentExecutions(workflowId, 1000))

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
  const happenings = Array.from({ length: 400 }, (_, index) => (index % 2 ? { decide: 0 } : { start: 'wf_one' }))
  const { events } = playHistory(happenings)
  // Of 200 executions that end one after the other, 22 may be kept, and the one before them when it ends.
  expect(replay(events).forgotten).toBe(177)
})
