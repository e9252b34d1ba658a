/** The thread in which a run of the suite goes on; `supervise` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { run } from '../../conformance/run/runner.ts'
import { Undecided } from '../../conformance/wire/exchange.ts'
import { guardedFetch } from '../connect/guarded-fetch.ts'
import { createMock } from '../mock.ts'
import type { RunPlan } from './run-options.ts'
import type { RunMessage } from './supervise.ts'

const { selected, isReference, ...options } = workerData as RunPlan
const tell = (message: RunMessage) => parentPort?.postMessage(message)

const send = isReference ? createMock().fetch : guardedFetch(options.url)
let count = 0

try {
  const result = await run({
    ...options,
    checksAddresses: !isReference,
    selects: (id) => selected.includes(id),
    fetch: (request) => {
      count += 1
      tell({ kind: 'sending', count })
      return send(request)
    },
    onResult: (result) => tell({ kind: 'result', result }),
  })
  tell({ kind: 'finished', run: result })
} catch (error) {
  if (!(error instanceof Undecided)) throw error
  tell({ kind: 'unreachable', reason: error.reason })
}
