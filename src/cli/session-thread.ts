/** Sends sessions in a thread of their own, so that no answer of a deployment can keep the command busy. */
import { Worker } from 'node:worker_threads'
import { UsageError } from './exit.ts'
import { terminalOf } from './reporting.ts'
import type { SessionMessage, SessionTask } from './session-task.ts'

/** Carries out a task. Returns the exit code. */
export type PlaySession = (task: SessionTask) => Promise<number>

/** The time without a sign of life after which a thread is stopped, in milliseconds. */
const mostBusyMs = 60_000
/** The memory of a thread, in MiB: enough for any useful file of 64 MiB. */
const mostMemoryMb = 1024
/** The time that a task has to end after a signal, in milliseconds. */
const stoppingMs = 3000
const signals = ['SIGINT', 'SIGTERM'] as const

/** Starts the thread of a task. */
export type StartThread = (data: { readonly task: SessionTask; readonly colour: boolean }) => SessionThread

/** The thread of a task, such as a `Worker`. */
export interface SessionThread {
  on(event: 'message', listener: (message: SessionMessage) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit', listener: () => void): unknown
  postMessage(order: 'stop'): void
  terminate(): unknown
}

/** Starts a thread with the code that the build bundles. */
const startSessionThread: StartThread = (data) =>
  new Worker(new URL('./session-worker.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  })

/**
 * Carries out a task in another thread. Stops it if it gives no sign of life, such as during an endless computation, or after a
 * signal; a second signal ends the process.
 */
export function playInThread(task: SessionTask, start = startSessionThread, busyMs = mostBusyMs): Promise<number> {
  return new Promise((resolve, reject) => {
    const { colour } = terminalOf(process.stdout)
    const thread = start({ task, colour })
    const end = (why: string) => {
      reject(new Error(why))
      void thread.terminate()
    }
    const tooBusy = () =>
      end(
        `It was stopped by force, since it was busy for ${busyMs / 1000} s without a pause. Look at the latest answers of the deployment, which may keep it busy.`,
      )
    let timer = setTimeout(tooBusy, busyMs)
    const restart = (then: () => void, ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(then, ms)
    }
    let isStopping = false
    const stop = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, stop)
      isStopping = true
      restart(() => end(`It was stopped by ${signal} before its end, and no report was written.`), stoppingMs)
      thread.postMessage('stop')
    }
    for (const one of signals) process.on(one, stop)
    thread.on('message', (message) => {
      if (!isStopping) restart(tooBusy, busyMs)
      switch (message.kind) {
        case 'alive':
          return
        case 'print':
          process.stdout.write(message.text)
          return
        case 'ended':
          return resolve(message.code)
        case 'failed':
          return reject(message.isUsage ? new UsageError(message.message) : new Error(message.message))
        default:
          return message satisfies never
      }
    })
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return reject(error)
      reject(
        new Error(
          `It needs more than ${mostMemoryMb} MiB of memory, and was stopped. Shorten the session, or look at the size of the deployment's answers.`,
        ),
      )
    })
    thread.once('exit', () => {
      clearTimeout(timer)
      for (const one of signals) process.off(one, stop)
      reject(new Error('It ended without a result. Report this as a fault of countersign.'))
    })
  })
}
