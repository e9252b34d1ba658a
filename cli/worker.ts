/** The thread of a task; `inThread` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { aliveMs, failureOf, type ThreadMessage } from './thread.ts'
import { carryOut } from './work.ts'

const tell = (message: ThreadMessage) => parentPort?.postMessage(message)

const stopping = new AbortController()
parentPort?.on('message', () => stopping.abort())
// Neither listening nor signs of life keep the thread alive after the task.
parentPort?.unref()
setInterval(() => tell({ kind: 'alive' }), aliveMs).unref()

/** Tells what was thrown, also by a callback that nothing awaits. */
const fail = (error: unknown) => {
  tell(failureOf(error))
  process.exit()
}
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

void carryOut(workerData, { tell, signal: stopping.signal }).then((result) => tell({ kind: 'ended', result }), fail)
