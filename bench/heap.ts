/** Measures the heap of a mock after collections, in MiB: `node --expose-gc --import tsx bench/heap.ts`; prints JSON. */
import { createMock } from '../src/mock.ts'
import { Clock } from '../src/world/clock.ts'
import { World } from '../src/world/world.ts'
import { definition } from './harness/history.ts'
import { createWorkflows, mixedRequests } from './harness/mixed-requests.ts'
import { key } from './harness/service-client.ts'
import { play } from './simulation.ts'

const requests = 100_000
const workflows = 20_000
const executions = 5_000

function heap(): number {
  const collect = globalThis.gc
  if (!collect) throw new Error('Failed to measure: because there is no gc. Start it with --expose-gc.')
  for (let times = 0; times < 3; times += 1) collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** What is left of many requests when the state that they made is taken away. */
async function soak(): Promise<number> {
  const mock = createMock({ clockSpeed: 1000 })
  await mixedRequests(mock.fetch, 2000)
  mock.reset()
  const before = heap()
  await mixedRequests(mock.fetch, requests)
  mock.reset()
  return heap() - before
}

function newWorld(): World {
  return new World('heap', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), maxExecutions: executions })
}

/** What the heap grows by, in KiB, for each of so many; what grew is held until then. */
async function costOfEach(count: number, world: World, grow: () => Promise<void> | void): Promise<number> {
  const before = heap()
  await grow()
  const after = heap()
  // Read after the measurement, so that nothing of it has been collected by then.
  const happened = world.journal.read().length
  if (happened < count) throw new Error(`Failed to measure: because ${happened} of ${count} were made.`)
  return ((after - before) * 1024) / count
}

const left = await soak()
const mock = createMock()
await createWorkflows(mock.fetch, 2000)
const perWorkflow = await costOfEach(workflows, mock.tenants.ofKey(key), () => createWorkflows(mock.fetch, workflows))
const world = newWorld()
const perExecution = await costOfEach(executions, world, () => {
  play(world, { workflow: definition, meanGapMinutes: 120, executions, seed: 1 })
})
process.stdout.write(`${JSON.stringify({ left, perWorkflow, perExecution })}\n`)
