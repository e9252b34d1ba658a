import { Worker } from 'node:worker_threads'
import type { CheckResult, ExchangeRecord, RunResult } from '../../conformance/report/result.ts'
import type { RunProgress } from '../../conformance/run/runner.ts'

/** What a run tells about itself while it goes on, in a thread of its own. */
export type RunMessage =
  | { readonly kind: 'begun'; readonly runId: string }
  | { readonly kind: 'progress'; readonly progress: RunProgress }
  | { readonly kind: 'result'; readonly result: CheckResult }
  | { readonly kind: 'finished'; readonly run: RunResult }
  /** Nothing answers at the deployment's address, for this reason. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** What a run is told: to end, with what it knows by now. */
export type RunOrder = 'stop'

/** What is known of a run that had to be stopped by force. */
export interface Stopped {
  readonly kind: 'stopped'
  /** The signal that asked for it; absent if the time was over. */
  readonly signal?: NodeJS.Signals
  /** The run's id, if it told any. */
  readonly runId?: string
  /** The latest result of each check, in the order in which they came. */
  readonly results: readonly CheckResult[]
  /** How many requests were sent. */
  readonly sent: number
  /** The requests that were answered, or got no answer. */
  readonly exchanges: readonly ExchangeRecord[]
  /** What was made on the deployment. */
  readonly leftBehind: readonly string[]
}

export interface SupervisorOptions {
  /** The thread's code. */
  readonly code: URL
  /** What the thread is given as `workerData`. */
  readonly data?: unknown
  /** When the run is stopped, whatever it is doing, in milliseconds. */
  readonly stopAfterMs: number
  readonly onResult?: (result: CheckResult) => void
  readonly onProgress?: (progress: RunProgress) => void
}

type End = Extract<RunMessage, { kind: 'finished' | 'unreachable' }> | Stopped

/** Signals that end a run early, with its reports. */
const signals = ['SIGINT', 'SIGTERM'] as const
/** How long a run may take to end by itself after a signal, in milliseconds. CI systems kill a few seconds later. */
const stoppingMs = 3000

/**
 * Runs the suite in a thread of its own and stops it after a time, even in the middle of a computation: this thread stays
 * free, whatever a deployment has the other one do. On a signal, the run is asked to end; a second signal ends the process.
 */
export function supervise({ code, data, stopAfterMs, onResult, onProgress }: SupervisorOptions): Promise<End> {
  return new Promise<End>((resolve, reject) => {
    const worker = new Worker(code, { workerData: data })
    const results = new Map<string, CheckResult>()
    const known: { runId?: string; signal?: NodeJS.Signals; sent: number } = { sent: 0 }
    const exchanges: ExchangeRecord[] = []
    const leftBehind = new Set<string>()
    const terminate = () => {
      resolve({ kind: 'stopped', ...known, results: [...results.values()], exchanges, leftBehind: [...leftBehind] })
      void worker.terminate()
    }
    let timer = setTimeout(terminate, stopAfterMs)
    const stop = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, stop)
      known.signal = signal
      clearTimeout(timer)
      timer = setTimeout(terminate, stoppingMs)
      const order: RunOrder = 'stop'
      worker.postMessage(order)
    }
    for (const one of signals) process.on(one, stop)
    worker.on('message', (message: RunMessage) => {
      switch (message.kind) {
        case 'begun':
          known.runId = message.runId
          return
        case 'progress': {
          const { sent, exchange, made } = message.progress
          known.sent = sent
          if (exchange) exchanges.push(exchange)
          if (made !== undefined) leftBehind.add(made)
          onProgress?.(message.progress)
          return
        }
        case 'result':
          results.set(message.result.id, message.result)
          onResult?.(message.result)
          return
        case 'finished':
        case 'unreachable':
          return resolve(message)
        default:
          return message satisfies never
      }
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      for (const one of signals) process.off(one, stop)
      reject(new Error('The run ended without a result. Report this as a fault of the suite.'))
    })
  })
}
