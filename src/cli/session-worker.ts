/** The thread of a replay or a comparison; `playInThread` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from './exit.ts'
import { aliveMs, playTask, type SessionMessage, type SessionTask } from './session-task.ts'

const { task, colour } = workerData as { readonly task: SessionTask; readonly colour: boolean }
const tell = (message: SessionMessage) => parentPort?.postMessage(message)

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())
// Neither listening nor signs of life keep the thread alive after the task.
parentPort?.unref()
setInterval(() => tell({ kind: 'alive' }), aliveMs).unref()

try {
  const print = (text: string) => tell({ kind: 'print', text })
  tell({ kind: 'ended', code: await playTask(task, { print, colour, signal: stopping.signal }) })
} catch (error) {
  if (!(error instanceof Error)) throw error
  tell({ kind: 'failed', isUsage: error instanceof UsageError, message: error.message })
}
