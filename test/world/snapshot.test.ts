import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noArchive } from '../../src/world/archive.ts'
import { Clock } from '../../src/world/clock.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'

const maxExecutions = 20
const day = 86_400_000
const people = ['ada', 'bob', 'cyd'].map((name) => ({ email: `${name}@example.com`, name }))
const stepsOf = (isLong: boolean) =>
  (isLong ? [1, 1, 2] : [1]).map((order, index) => ({
    ...{ stepId: `step-${index}`, name: `Step ${index}`, order, estimatedMinutes: 30 + index },
    approvers: people.slice(0, isLong ? 3 : 1),
  }))

const happening = fc.oneof(
  { weight: 1, arbitrary: fc.record({ create: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ upload: fc.constantFrom('requested', 'stored', 'confirmed') }) },
  {
    weight: 6,
    arbitrary: fc.record({ execute: fc.nat(9), priority: fc.constantFrom('low', 'normal', 'high') }),
  },
  { weight: 2, arbitrary: fc.record({ advanceMinutes: fc.nat(200) }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer Type> ? Type : never

/** Creates a world at time 0 with simulated approvers. `events` are what it decides. */
function openWorld(approvers: 'auto' | 'instant' = 'auto') {
  const events: RecordedEvent[] = []
  const archive = { ...noArchive, append: (_: string, more: readonly RecordedEvent[]) => void events.push(...more) }
  const settings = { ...defaultSettings, approvers }
  const clock = new Clock({ speed: 0, start: 0 })
  return { events, world: new World('saved', { seed: '1', clock, settings, archive, maxExecutions }) }
}

/** Returns the events of a random history. */
function eventsOf(happenings: readonly Happening[]): RecordedEvent[] {
  const { world, events } = openWorld()
  const workflowIds: string[] = []
  for (const [index, what] of happenings.entries()) {
    if ('create' in what) {
      const workflowId = `wf_${index}`
      const definition = { name: 'W', description: 'ä', isSequential: true, steps: stepsOf(what.create) }
      world.handle({ type: 'CreateWorkflow', workflowId, definition })
      workflowIds.push(workflowId)
    } else if ('upload' in what) {
      const sessionId = `session_${index}`
      const file = { key: `${index}/a.pdf`, fileName: 'a.pdf', contentType: 'application/pdf', fileSize: 3 }
      world.handle({ type: 'RequestUpload', sessionId, maxBytes: 3, ...file })
      if (what.upload !== 'requested') world.handle({ type: 'StoreObject', sessionId, sha256: '0' })
      if (what.upload === 'confirmed')
        world.handle({ type: 'ConfirmUpload', sessionId, documentId: `doc_${index}`, completedFiles: [file] })
    } else if ('execute' in what) {
      const workflowId = workflowIds[what.execute % Math.max(1, workflowIds.length)]
      if (workflowId === undefined) continue
      const terms = { documentId: 'any', submitterEmail: 's@x.io', mode: 'standard', priority: what.priority } as const
      world.handle({ type: 'StartExecution', executionId: `exe_${index}`, workflowId, isDocumentKnown: true, ...terms })
    } else world.clock.advance(what.advanceMinutes * 60_000)
  }
  return events
}

/** Applies events as a mock does that reads them from a stream. */
function follow(world: World, events: readonly RecordedEvent[]): void {
  for (const event of events) world.clock.replay(event.at, () => world.apply(event))
}

/** Saves a world, as JSON, and loads it into a new one. */
function reload(world: World, events: readonly RecordedEvent[]) {
  const loaded = openWorld()
  for (const record of JSON.parse(JSON.stringify([...world.save()]))) loaded.world.load(record)
  loaded.world.loadEvents(JSON.parse(JSON.stringify(events.slice(events.length - loaded.world.missingEvents))))
  return loaded
}

/** Returns everything that a world shows, and all that a snapshot of it would have, but not when. */
function stateOf(world: World) {
  const workflows = [...world.workflows()].map(({ created: { workflowId } }) => {
    const analytics = world.analytics(workflowId)
    const figures = [analytics.metrics(), analytics.steps(), world.advice(workflowId).recommendations()]
    return [world.analytics(workflowId).workflow, figures, world.recentExecutions(workflowId, 1000)]
  })
  const executions = [...world.executions()].map(({ executionId }) => world.execution(executionId))
  const [head, ...saved] = JSON.parse(JSON.stringify([...world.save()]))
  return {
    ...{ workflows, executions, uploads: [...world.uploads()], sizes: world.sizes },
    ...{ journal: world.journal.read(), first: world.journal.firstSeq },
    ...{ saved, footprint: head.footprint, now: world.clock.now() },
  }
}

test('a snapshot and the events after it make the same world as all events', () => {
  let decisions = 0
  const histories = fc.array(happening, { minLength: 40, maxLength: 120, size: 'max' })
  fc.assert(
    fc.property(histories, fc.integer({ min: 10, max: 90 }), (happenings, percent) => {
      const events = eventsOf([{ create: true }, ...happenings])
      const at = Math.floor((percent / 100) * events.length)
      const followed = openWorld()
      follow(followed.world, events.slice(0, at))
      const loaded = reload(followed.world, events.slice(0, at))
      expect(stateOf(loaded.world)).toEqual(stateOf(followed.world))
      for (const { world } of [followed, loaded]) follow(world, events.slice(at))
      expect(stateOf(loaded.world)).toEqual(stateOf(followed.world))
      // The plans of simulated approvers are the same, too, and so is what they draw later.
      for (const { world } of [followed, loaded]) world.clock.advance(30 * day)
      expect(loaded.events).toEqual(followed.events)
      expect(stateOf(loaded.world)).toEqual(stateOf(followed.world))
      decisions += loaded.events.length
    }),
    // Finding a shorter example would take minutes.
    { numRuns: 6, endOnFailure: true },
  )
  expect(decisions).toBeGreaterThan(0)
})

test('a snapshot shows the state of its moment, whenever it is read', () => {
  const happenings = nonEmpty(
    Array.from({ length: 60 }, (_, index) =>
      index % 20 ? { execute: index, priority: 'high' as const } : { create: true },
    ),
  )
  const events = eventsOf(happenings)
  const { world } = openWorld()
  follow(world, events.slice(0, 100))
  const [early, late] = [world.save(), world.save()]
  const before = JSON.stringify([...early])
  follow(world, events.slice(100))
  const parts = (text: string) => JSON.parse(text).slice(1)
  expect(parts(JSON.stringify([...late]))).toEqual(parts(before))
  expect(parts(JSON.stringify([...world.save()]))).not.toEqual(parts(before))
})
