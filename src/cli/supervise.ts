import type { CheckResult, ExchangeRecord, RunResult } from '../../conformance/report/result.ts'
import type { RunProgress } from '../../conformance/run/runner.ts'

/** A message from the thread of a run. */
export type RunMessage =
  | { readonly kind: 'begun'; readonly runId: string }
  | { readonly kind: 'progress'; readonly progress: RunProgress }
  | { readonly kind: 'result'; readonly result: CheckResult }
  | { readonly kind: 'finished'; readonly run: RunResult }
  /** The deployment cannot be reached, for this reason. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** A message to the thread of a run: end it and report the results so far. */
export type RunOrder = 'stop'

/** The thread of a run, such as a `Worker`. */
export interface RunThread {
  on(event: 'message', listener: (message: RunMessage) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit', listener: () => void): unknown
  postMessage(order: RunOrder): void
  terminate(): unknown
}

/** The known part of a run whose thread was terminated. */
export interface Stopped {
  readonly kind: 'stopped'
  /** The signal that asked for it; absent if the run exceeded its time limit. */
  readonly signal?: NodeJS.Signals
  /** The run's id; absent if the run had none yet. */
  readonly runId?: string
  /** The latest result of each check, in order of arrival. */
  readonly results: readonly CheckResult[]
  /** The number of requests that were sent. */
  readonly sent: number
  /** The requests that are complete, with or without an answer. */
  readonly exchanges: readonly ExchangeRecord[]
  /** The items that the run created on the deployment. */
  readonly leftBehind: readonly string[]
}

export interface SupervisorOptions {
  /** Starts the thread. */
  readonly start: () => RunThread
  /** The time after which the thread is terminated, in milliseconds. */
  readonly stopAfterMs: number
  readonly onResult?: (result: CheckResult) => void
  readonly onProgress?: (progress: RunProgress) => void
}

type End = Extract<RunMessage, { kind: 'finished' | 'unreachable' }> | Stopped

/** Signals that end a run early, with its reports. */
const signals = ['SIGINT', 'SIGTERM'] as const
/** The time that a run has to end after a signal, in milliseconds. CI systems kill the process a few seconds later. */
const stoppingMs = 3000

/**
 * Runs the suite in another thread and terminates it after a time, even during a computation, so that no answer of a
 * deployment can block this thread. The first signal asks the run to end; a second one ends the process.
 */
export function supervise({ start, stopAfterMs, onResult, onProgress }: SupervisorOptions): Promise<End> {
  return new Promise<End>((resolve, reject) => {
    const worker = start()
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
