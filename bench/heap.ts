/** Measures the heap of a mock after garbage collection, in MiB, and prints JSON: `node --expose-gc --import tsx bench/heap.ts`. */
import { createMock } from '../src/mock.ts'
import { Clock } from '../src/world/clock.ts'
import { World } from '../src/world/world.ts'
import { definition } from './harness/history.ts'
import { createWorkflows, sendMixedRequests } from './harness/mixed-requests.ts'
import { key } from './harness/service-client.ts'
import { play } from './simulation.ts'

const requests = 100_000
const workflows = 20_000
const executions = 5_000

function measureHeap(): number {
  const collect = globalThis.gc
  if (!collect) throw new Error('Garbage collection is not exposed. Start Node with --expose-gc.')
  for (let times = 0; times < 3; times += 1) collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** Measures the growth of the heap by many requests, after a reset has removed their state. */
async function measureSoak(): Promise<number> {
  const mock = createMock({ clockSpeed: 1000 })
  await sendMixedRequests(mock.fetch, 2000)
  mock.reset()
  const before = measureHeap()
  await sendMixedRequests(mock.fetch, requests)
  mock.reset()
  return measureHeap() - before
}

function newWorld(): World {
  return new World('heap', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), maxExecutions: executions })
}

/** Measures the growth of the heap in KiB per item. */
async function costOfEach(count: number, world: World, grow: () => Promise<void> | void): Promise<number> {
  const before = measureHeap()
  await grow()
  const after = measureHeap()
  // Reading the journal after the measurement keeps the world reachable until then.
  const events = world.journal.read().length
  if (events < count)
    throw new Error(`Only ${events} events were recorded for ${count} items. The measurement is invalid.`)
  return ((after - before) * 1024) / count
}

const left = await measureSoak()
const mock = createMock()
await createWorkflows(mock.fetch, 2000)
const perWorkflow = await costOfEach(workflows, mock.tenants.ofKey(key), () => createWorkflows(mock.fetch, workflows))
const world = newWorld()
const perExecution = await costOfEach(executions, world, () => {
  play(world, { workflow: definition, meanGapMinutes: 120, executions, seed: 1 })
})
process.stdout.write(`${JSON.stringify({ left, perWorkflow, perExecution })}\n`)
