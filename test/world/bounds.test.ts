import { expect, test } from 'vitest'
import { Clock } from '../../src/world/clock.ts'
import { MemoryFiles } from '../../src/world/files.ts'
import { defaultSettings, mustBeSound } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'
import { play, workflowId } from '../support/simulation.ts'
import { storedBytes } from '../support/stored.ts'

const approvers = [{ email: 'ada@example.com', name: 'Ada' }]
const steps = [{ step_id: 'only', name: 'Only', order: 1, approvers, estimated_duration: 5 }]
const workflow = { name: '', description: '', isSequential: true, steps }

const newWorld = (options: Partial<ConstructorParameters<typeof World>[1]>) =>
  new World('bounds', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), ...options })

/** Creates a world with this many ended executions. */
function worldOf(executions: number, maxExecutions: number): World {
  const world = newWorld({ maxExecutions })
  play(world, { workflow, meanGapMinutes: 60, executions, seed: 1 })
  return world
}

test('analytics still count the oldest ended executions after their eviction', () => {
  const [all, few] = [worldOf(500, 10_000), worldOf(500, 50)]
  const idsIn = (world: World) => world.recentExecutions(workflowId, 500).map(({ executionId }) => executionId)
  const kept = idsIn(few)
  expect(kept.length).toBeGreaterThanOrEqual(50)
  expect(kept.length).toBeLessThanOrEqual(56)
  expect(kept).toEqual(idsIn(all).slice(0, kept.length))
  expect(few.hasExecution('exe_0')).toBe(false)
  expect(few.analytics(workflowId).metrics()).toEqual(all.analytics(workflowId).metrics())
  expect(few.analytics(workflowId).steps()).toEqual(all.analytics(workflowId).steps())
})

test('a running execution is never evicted, however old it is', () => {
  const world = newWorld({ maxExecutions: 20, profile: () => ({ pace: 10_000, spread: 0, approvalRate: 1 }) })
  const start = (executionId: string, documentId: string) =>
    world.handle({ type: 'StartExecution', executionId, workflowId: 'slow', request: requestOf(documentId) })
  const documentId = play(world, { workflow, meanGapMinutes: 60, executions: 0, seed: 1 })
  world.handle({ type: 'CreateWorkflow', workflowId: 'slow', definition: workflow })
  start('exe_old', documentId)
  for (let index = 0; index < 100; index += 1) {
    start(`exe_${index}`, documentId)
    decide(world, `exe_${index}`)
  }
  expect(world.hasExecution('exe_0')).toBe(false)
  expect(world.execution('exe_old').status).toBe('running')

  // The answer to the decision shows that it has ended, and later executions are not affected.
  decide(world, 'exe_old')
  expect(world.execution('exe_old').status).toBe('approved')
  for (const id of ['exe_new', 'exe_newer', 'exe_newest']) {
    start(id, documentId)
    decide(world, id)
  }
  expect(world.hasExecution('exe_old')).toBe(false)
})

const requestOf = (documentId: string) => ({ document_id: documentId, priority: 'normal' })

function decide(world: World, executionId: string): void {
  const email = 'ada@example.com'
  world.handle({ type: 'DecideStep', executionId, stepId: 'only', email, decision: 'approved' })
}

test('the journal keeps ten events for each retained execution, and their places', () => {
  const world = worldOf(500, 20)
  const events = world.journal.read()
  expect(events.length).toBeGreaterThanOrEqual(200)
  expect(events.length).toBeLessThanOrEqual(220)
  const whole = worldOf(500, 10_000).journal.read()
  expect(events).toEqual(whole.slice(-events.length))
})

test('bytes are kept within the budget, which is released with them', () => {
  const files = new MemoryFiles(100)
  const world = newWorld({ files })
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
  files.remove('bounds', world.fileNames())
  expect(files.receive('bounds', 'fourth', 100)).toBeDefined()
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
