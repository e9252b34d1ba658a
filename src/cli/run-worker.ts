/** The thread of a run of the suite; `supervise` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type RunOptions, run } from '../../conformance/run/runner.ts'
import { Undecided } from '../../conformance/wire/exchange.ts'
import type { RunPlan } from './run-options.ts'
import type { RunMessage, RunOrder } from './supervise.ts'

const { selected, isReference, connection, ...options } = workerData as RunPlan
const tell = (message: RunMessage) => parentPort?.postMessage(message)

const stopping = new AbortController()
parentPort?.on('message', (order: RunOrder) => {
  if (order === 'stop') stopping.abort()
})
// Listening must not keep the thread alive after the run.
parentPort?.unref()

/** Loads only what the run needs: the mock, or the client with its proxies and certificates. */
async function fetchOf(): Promise<NonNullable<RunOptions['fetch']>> {
  if (isReference) return (await import('../mock.ts')).createMock().fetch
  return (await import('../connect/guarded-fetch.ts')).guardedFetch(options.url, { connection })
}

try {
  const result = await run({
    ...options,
    // A proxy resolves names itself, so private addresses can only be refused by their spelling.
    checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
    selects: (id) => selected.includes(id),
    fetch: await fetchOf(),
    signal: stopping.signal,
    onBegin: (runId) => tell({ kind: 'begun', runId }),
    onProgress: (progress) => tell({ kind: 'progress', progress }),
    onResult: (result) => tell({ kind: 'result', result }),
  })
  tell({ kind: 'finished', run: result })
} catch (error) {
  if (!(error instanceof Undecided)) throw error
  tell({ kind: 'unreachable', reason: error.reason })
}
