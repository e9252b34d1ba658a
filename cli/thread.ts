/** Carries out tasks in a thread of their own, so that no answer of a deployment can keep the command busy. */

import type { Progress } from '../conformance/report/progress.ts'
import { errorLineOf, UsageError } from './exit.ts'
import type { News } from './news.ts'
import { shownOn } from './shown.ts'
import type { ResultOf, Task } from './work.ts'

/** A message from a thread. */
export type ThreadMessage =
  | News
  | { readonly kind: 'ended'; readonly result: ResultOf<Task> }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly message: string }

/** A thread, such as a `Worker`. */
export interface TaskThread {
  on(event: 'message', listener: (message: ThreadMessage) => void): unknown
  once(event: 'error' | 'messageerror', listener: (error: unknown) => void): unknown
  once(event: 'exit', listener: () => void): unknown
  /** Asks the thread to end its task, with what it has. */
  postMessage(order: 'stop'): void
  terminate(): unknown
}

/** Starts the thread of a task. */
export type StartThread = (task: Task) => TaskThread

/** The time between two signs of life, and the time without one after which a thread is stopped, in milliseconds. */
export const aliveMs = 1000
const mostBusyMs = 60_000
/** The time that most tasks need to end after they were asked to, in milliseconds. CI systems kill the process a few seconds later. */
const shortMs = 3000
/** The memory of a thread, in MiB: enough for any useful file of 64 MiB. */
export const mostMemoryMb = 1024
/** Signals that end a task early, with what there is so far. */
const signals = ['SIGINT', 'SIGTERM'] as const

interface Supervision<One extends Task> {
  readonly start: StartThread
  /** Shows the progress. @default on standard error */
  readonly shown?: Partial<Progress>
  readonly onNews?: (news: News) => void
  /** The time after which the task is asked to end, in milliseconds. @default no limit, as long as it gives signs of life */
  readonly stopAfterMs?: number
  /** The time without a sign of life after which the thread is stopped, in milliseconds. @default 60000 */
  readonly busyMs?: number
  /** The time that it has to end after it was asked to, in milliseconds. @default 3000 */
  readonly stoppingMs?: number
  /** Makes a result of what was told so far, if the thread had to be stopped. @default none, and it is an error */
  readonly soFar?: (why: string) => ResultOf<One>
}

/**
 * Carries out a task in another thread, shows its progress, and prints what it prints. A signal, or the end of its time, asks the task to end with what it has; if it does not, or
 * gives no sign of life, its thread is stopped. A second signal ends the process. Rejects if there is no result.
 */
export function inThread<One extends Task>(task: One, supervision: Supervision<One>): Promise<ResultOf<One>> {
  const { start, shown = shownOn(process.stderr), onNews, soFar } = supervision
  const { stopAfterMs, busyMs = mostBusyMs, stoppingMs = shortMs } = supervision
  const outcome = new Promise<ResultOf<One>>((resolve, reject) => {
    const thread = start(task)
    const force = (why: string) => {
      if (soFar) resolve(soFar(why))
      else reject(new Error(`It was stopped by force, since ${why}, and nothing was written. ${lookAtAnswers}`))
      void thread.terminate()
    }
    const tooBusy = () => force(`it was busy for ${busyMs / 1000} s without a pause`)
    let timer = setTimeout(tooBusy, busyMs)
    let isStopping = false
    const restart = (then: () => void, ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(then, ms)
    }
    const stop = (why: string) => {
      for (const one of signals) process.off(one, onSignal)
      isStopping = true
      restart(() => force(`it did not end when ${why}`), stoppingMs)
      thread.postMessage('stop')
    }
    const onSignal = (signal: NodeJS.Signals) => stop(`${signal} had asked it to`)
    for (const one of signals) process.on(one, onSignal)
    const limit = stopAfterMs === undefined ? undefined : setTimeout(() => stop('its time was over'), stopAfterMs)
    thread.on('message', (message) => {
      if (!isStopping) restart(tooBusy, busyMs)
      if (message.kind === 'ended') resolve(message.result as ResultOf<One>)
      else if (message.kind === 'failed') {
        const { isUsage, message: why } = message
        reject(isUsage ? new UsageError(why) : new Error(why))
      } else {
        onNews?.(message)
        if (message.kind === 'progress') shown.onProgress?.(message.progress)
        if (message.kind !== 'print') return
        shown.clear?.()
        process.stdout.write(message.text)
      }
    })
    thread.once('error', (error) => reject(isOutOfMemory(error) ? new Error(outOfMemory) : error))
    thread.once('messageerror', reject)
    thread.once('exit', () => {
      clearTimeout(timer)
      clearTimeout(limit)
      for (const one of signals) process.off(one, onSignal)
      reject(new Error('It ended without a result. Report this as a fault of countersign.'))
    })
  })
  return outcome.finally(() => shown.clear?.())
}

const lookAtAnswers = 'Look at the latest answers of the deployment, which may keep it busy.'
const outOfMemory = `It needs more than ${mostMemoryMb} MiB of memory, and was stopped. Shorten the session, or look at the size of the deployment's answers.`

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Returns the message of a failure, whatever was thrown. */
export function failureOf(error: unknown): ThreadMessage {
  return { kind: 'failed', isUsage: error instanceof UsageError, message: errorLineOf(error) }
}
