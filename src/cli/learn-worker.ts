/** The thread in which a deployment is learned; `learnInThread` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import type { TimedExchange } from '../../conformance/session/calls.ts'
import { readHar } from '../../conformance/session/read-har.ts'
import { Undecided } from '../../conformance/wire/exchange.ts'
import { guardedFetch } from '../connect/guarded-fetch.ts'
import { learnDeployment, NothingToLearn } from '../learn/learn-deployment.ts'
import { createMock } from '../mock.ts'
import type { LearnMessage } from './learn-thread.ts'
import type { RunPlan } from './run-options.ts'

const {
  isReference,
  connection,
  selected: _selected,
  recording,
  ...options
} = workerData as RunPlan & {
  /** The text of a HAR file. */
  readonly recording?: string
}
const tell = (message: LearnMessage) => parentPort?.postMessage(message)

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())
// Listening does not keep the thread alive once everything is learned.
parentPort?.unref()

try {
  const learned = await learnDeployment({
    ...options,
    ...(recording !== undefined && { recorded: recordedCalls(recording) }),
    checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
    fetch: isReference ? createMock().fetch : guardedFetch(options.url, { connection }),
    signal: stopping.signal,
    onStage: (stage, sent) => tell({ kind: 'stage', stage, sent }),
  })
  tell({ kind: 'learned', learned })
} catch (error) {
  if (error instanceof NothingToLearn) tell({ kind: 'nothing to learn', why: error.message })
  else if (error instanceof Undecided) tell({ kind: 'unreachable', reason: error.reason })
  else throw error
}

/** Reads the calls of a recording, with the deployment's key in the place of the one that was recorded. */
function recordedCalls(text: string): TimedExchange[] {
  const { exchanges, apiKey } = readHar(text, { url: options.url, keepsLists: true })
  return exchanges.map((exchange) => {
    const { method, url, headers } = exchange.request
    const own = new Headers(headers)
    const key = own.get('authorization')
    if (key !== null)
      own.set(
        'authorization',
        key.replace(apiKey, () => options.apiKey),
      )
    return { ...exchange, request: { method, url, headers: own } }
  })
}
