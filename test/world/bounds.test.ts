import { expect, test } from 'vitest'
import { MemoryFiles } from '../../src/world/files.ts'
import { defaultSettings, mustBeSound } from '../../src/world/settings.ts'
import type { World } from '../../src/world/world.ts'
import { executionsIn, oneStep, play, stillWorld, workflowId } from '../support/simulation.ts'
import { storedBytes } from '../support/stored.ts'

/** Creates a world with this many ended executions. */
function worldOf(executions: number, maxExecutions: number): World {
  const world = stillWorld({ maxExecutions, settings: defaultSettings })
  play(world, { workflow: oneStep, meanGapMinutes: 60, executions, seed: 1 })
  return world
}

test('analytics still count the oldest ended executions after their eviction', () => {
  const [all, few] = [worldOf(500, 10_000), worldOf(500, 50)]
  const kept = few.recentExecutions(workflowId, 500)
  expect(kept.length).toBeGreaterThanOrEqual(50)
  expect(kept.length).toBeLessThanOrEqual(56)
  expect(kept).toEqual(all.recentExecutions(workflowId, kept.length))
  expect(few.hasExecution('exe_0')).toBe(false)
  const [one, other] = [few, all].map((world) => world.analytics(workflowId))
  expect([one?.metrics(), one?.steps()]).toEqual([other?.metrics(), other?.steps()])
})

test('a running execution is never evicted, however old it is', () => {
  const { world, begin, decide } = executionsIn(stillWorld({ maxExecutions: 20 }))
  begin('exe_old')
  const playMany = (count: number, name: string) => {
    for (let index = 0; index < count; index += 1) {
      begin(`${name}_${index}`)
      decide(`${name}_${index}`)
    }
  }
  playMany(100, 'exe')
  expect(world.hasExecution('exe_0')).toBe(false)
  expect(world.execution('exe_old').status).toBe('running')
  // The answer to the decision shows that it has ended, and later executions are not affected.
  decide('exe_old')
  expect(world.execution('exe_old').status).toBe('approved')
  playMany(3, 'later')
  expect(world.hasExecution('exe_old')).toBe(false)
})

test('the journal keeps ten events for each retained execution, and their places', () => {
  const world = worldOf(500, 20)
  const events = world.journal.read()
  expect(events.length).toBeGreaterThanOrEqual(200)
  expect(events.length).toBeLessThanOrEqual(220)
  expect(events).toEqual(worldOf(500, 10_000).journal.read(events.length))
})

test('bytes are kept within the budget, which is released with them', () => {
  const files = new MemoryFiles(100)
  const world = stillWorld({ files })
  const store = (key: string, size: number) => {
    const terms = { key, request: { file_name: key, content_type: 'text/plain', file_size: size } }
    world.handle({ type: 'RequestUpload', sessionId: key, maxBytes: 1000, ...terms })
    return world.storeObject(key, new Uint8Array(size).fill(7))
  }
  store('first', 60)
  const sums = store('second', 60)
  expect(storedBytes(world, 'first')).toHaveLength(60)
  expect(storedBytes(world, 'second')).toBeUndefined()
  expect(world.upload('second')).toMatchObject({ status: 'stored', ...sums })
  // The first object is smaller now, so there is space for another.
  world.storeObject('first', new Uint8Array(10))
  store('third', 90)
  expect(storedBytes(world, 'third')).toHaveLength(90)
  files.remove('still', world.fileNames())
  expect(files.receive('still', 'fourth', 100)).toBeDefined()
})

test('a journal gives no event of a type if none is wanted', () => {
  const { journal } = worldOf(1, 10)
  const type = 'ExecutionStarted'
  expect([0, 1].map((limit) => journal.read(limit, type).length)).toEqual([0, 1])
})

test('a rate limit may be as low as one call in 1,000 seconds', () => {
  expect(() => mustBeSound({ ...defaultSettings, rateLimit: 0.001 })).not.toThrow()
  expect(() => mustBeSound({ ...defaultSettings, rateLimit: 0.0009 })).toThrow('rateLimit is 0.0009')
})
