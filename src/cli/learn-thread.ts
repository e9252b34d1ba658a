import { Worker } from 'node:worker_threads'
import type { LearnedDeployment } from '../learn/learn-deployment.ts'

/** The messages of the thread. */
export type LearnMessage =
  | { readonly kind: 'stage'; readonly stage: string; readonly sent: number }
  | { readonly kind: 'learned'; readonly learned: LearnedDeployment }
  /** The deployment's address does not answer, for this reason. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The deployment accepts no call, for this reason. */
  | { readonly kind: 'nothing to learn'; readonly why: string }

interface LearnThreadOptions {
  readonly code: URL
  readonly data: unknown
  /** The time after which the thread is stopped, whatever it is doing, in milliseconds. */
  readonly stopAfterMs: number
  readonly onStage: (stage: string, sent: number) => void
}

/**
 * Learns in a thread of its own, and stops it after a time, even in the middle of a computation. Rejects if it ends without a
 * result.
 */
export function learnInThread({
  code,
  data,
  stopAfterMs,
  onStage,
}: LearnThreadOptions): Promise<Exclude<LearnMessage, { kind: 'stage' }>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { workerData: data })
    const end = (why: string) => {
      reject(new Error(why))
      void worker.terminate()
    }
    const timer = setTimeout(() => {
      end(
        `Learning was stopped after ${Math.round(stopAfterMs / 1000)} s. Look at the deployment's answers, which may keep it busy.`,
      )
    }, stopAfterMs)
    const stop = () => end('Learning was stopped before its end, and nothing was written.')
    for (const signal of signals) process.once(signal, stop)
    worker.on('message', (message: LearnMessage) => {
      if (message.kind === 'stage') onStage(message.stage, message.sent)
      else resolve(message)
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, stop)
      reject(new Error('Learning ended without a result. Report this as a fault of the suite.'))
    })
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const
