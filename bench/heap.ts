/** Measures the heap of a mock after garbage collection, and prints JSON: `node --expose-gc --import tsx bench/heap.ts`. */
import { startMock } from '../src/node/start-mock.ts'
import { Connection, key, requestBytes } from './harness/connection.ts'
import { create, executeOften, requestUpload } from './harness/service.ts'

function measureHeap(): number {
  const collect = globalThis.gc
  if (!collect) throw new Error('Garbage collection is not exposed. Start Node with --expose-gc.')
  for (let times = 0; times < 3; times += 1) collect()
  return process.memoryUsage().heapUsed / 1024
}

/** Measures the growth of the heap by some work, in KiB for each of `count` items. */
async function growthOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = measureHeap()
  await work()
  return (measureHeap() - before) / count
}

const mock = await startMock({ port: 0, approvers: 'instant' })
const connection = await Connection.open(mock.url)

/** Sends at least `count` requests of every kind, valid and refused, one after the other, and forgets what they did. */
async function sendMixedRequests(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 18) {
    const { details } = await executeOften(connection, mock.url, 5)
    for (let times = 0; times < 3; times += 1) await connection.send(requestBytes('GET', details))
    const { upload_url } = await requestUpload(connection, mock.url, 4)
    await refuse('POST', `${mock.url}/api/v1/workflows`, '{')
    await refuse('POST', `${mock.url}/api/v1/workflows`, '{"name":1}')
    await refuse('DELETE', `${mock.url}/api/v1/workflows`)
    await refuse('GET', `${mock.url}/nowhere/${sent}`)
    await refuse('PUT', upload_url.slice(0, -1), 'x')
  }
  mock.reset()
}

async function refuse(method: string, url: string, body?: string): Promise<void> {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  await response.arrayBuffer()
  if (response.ok) throw new Error(`${method} ${url} was accepted. Send something that is refused.`)
}

async function createMany(count: number): Promise<void> {
  for (let created = 0; created < count; created += 1) await create(connection, mock.url)
}

await sendMixedRequests(2000)
const left = (await growthOf(1, () => sendMixedRequests(100_000))) / 1024
await createMany(2000)
const perWorkflow = await growthOf(20_000, () => createMany(20_000))
mock.reset()
await executeOften(connection, mock.url, 100)
const perExecution = await growthOf(5000, () => executeOften(connection, mock.url, 5000))
connection.close()
await mock.close()
process.stdout.write(JSON.stringify({ left, perWorkflow, perExecution }))
