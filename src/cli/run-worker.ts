/** The thread of a run of the suite; `supervise` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { carryOut } from './carry-out.ts'
import type { RunOrder } from './supervise.ts'

const stopping = new AbortController()
parentPort?.on('message', (order: RunOrder) => {
  if (order === 'stop') stopping.abort()
})
// Listening must not keep the thread alive after the run.
parentPort?.unref()

await carryOut(workerData, (message) => parentPort?.postMessage(message), stopping.signal)
