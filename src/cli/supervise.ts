import { Worker } from 'node:worker_threads'
import type { CheckResult, RunResult } from '../../conformance/report/result.ts'

/** What a run tells about itself while it goes on, in a thread of its own. */
export type RunMessage =
  | { readonly kind: 'result'; readonly result: CheckResult }
  /** A request is about to be sent; how many that makes. */
  | { readonly kind: 'sending'; readonly count: number }
  | { readonly kind: 'finished'; readonly run: RunResult }
  /** Nothing answers at the deployment's address, for this reason. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** What is known of a run that had to be stopped. */
export interface Stopped {
  readonly kind: 'stopped'
  /** The latest result of each check, in the order in which they came. */
  readonly results: readonly CheckResult[]
  /** How many requests were sent. */
  readonly sent: number
}

export interface SupervisorOptions {
  /** The thread's code. */
  readonly code: URL
  /** What the thread is given as `workerData`. */
  readonly data?: unknown
  /** When the run is stopped, whatever it is doing, in milliseconds. */
  readonly stopAfterMs: number
  readonly onResult?: (result: CheckResult) => void
}

/**
 * Runs the suite in a thread of its own and stops it after a time, even in the middle of a computation: this thread stays
 * free, whatever a deployment has the other one do.
 */
export function supervise({ code, data, stopAfterMs, onResult }: SupervisorOptions) {
  return new Promise<Exclude<RunMessage, { kind: 'result' | 'sending' }> | Stopped>((resolve, reject) => {
    const worker = new Worker(code, { workerData: data })
    const results = new Map<string, CheckResult>()
    let sent = 0
    const timer = setTimeout(() => {
      resolve({ kind: 'stopped', results: [...results.values()], sent })
      void worker.terminate()
    }, stopAfterMs)
    worker.on('message', (message: RunMessage) => {
      switch (message.kind) {
        case 'result':
          results.set(message.result.id, message.result)
          onResult?.(message.result)
          return
        case 'sending':
          sent = message.count
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
      reject(new Error('The run ended without a result. Report this as a fault of the suite.'))
    })
  })
}
