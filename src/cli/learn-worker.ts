/** The thread in which a deployment is learned; `learnInThread` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { Undecided } from '../../conformance/wire/exchange.ts'
import { guardedFetch } from '../connect/guarded-fetch.ts'
import { learnDeployment } from '../learn/learn-deployment.ts'
import { createMock } from '../mock.ts'
import type { LearnMessage } from './learn-thread.ts'
import type { RunPlan } from './run-options.ts'

const { isReference, connection, selected: _selected, ...options } = workerData as RunPlan
const tell = (message: LearnMessage) => parentPort?.postMessage(message)

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())
// Listening does not keep the thread alive once everything is learned.
parentPort?.unref()

try {
  const learned = await learnDeployment({
    ...options,
    checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
    fetch: isReference ? createMock().fetch : guardedFetch(options.url, { connection }),
    signal: stopping.signal,
    onStage: (stage, sent) => tell({ kind: 'stage', stage, sent }),
  })
  tell({ kind: 'learned', learned })
} catch (error) {
  if (!(error instanceof Undecided)) throw error
  tell({ kind: 'unreachable', reason: error.reason })
}
