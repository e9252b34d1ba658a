import { spawn } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { bundled } from './bundled.ts'

export type Order =
  /** Locks a file at a time, in milliseconds since 1970. */
  | { readonly do: 'lock'; readonly path: string; readonly at: number }
  | { readonly do: 'release' }
  /** Replaces the file that it has locked. */
  | { readonly do: 'replace'; readonly path: string; readonly times: number }
  /** Tries to lock a file until it succeeds. */
  | { readonly do: 'try'; readonly path: string; readonly times: number }

export interface Reply {
  readonly held: boolean
}

/** Another process or thread that locks files. */
export interface Locker {
  /** Returns true if it has the lock afterwards. */
  tell(order: Order): Promise<boolean>
  /** Kills it, so that it cannot clean up. */
  kill(): Promise<void>
}

const script = await bundled(new URL('locker.ts', import.meta.url))

/** Starts a process that locks files. `within` is a command to start it with, such as `unshare -p -f`. */
export function startLockingProcess(within: readonly string[] = []): Locker {
  const [command = '', ...args] = [...within, process.execPath, script]
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  return lockerOf(
    child,
    (order) => child.send(order),
    () => {
      child.kill('SIGKILL')
      return ended
    },
  )
}

/** Starts a thread of this process that locks files. */
export function startLockingThread(): Locker {
  const worker = new Worker(script)
  return lockerOf(
    worker,
    (order) => worker.postMessage(order),
    () => worker.terminate(),
  )
}

function lockerOf(peer: EventEmitter, send: (order: Order) => void, end: () => Promise<unknown>): Locker {
  const kill = async () => void (await end())
  onTestFinished(kill)
  const ended = once(peer, 'exit')
  return {
    kill,
    async tell(order) {
      const reply = once(peer, 'message')
      send(order)
      const [{ held }] = await Promise.race([reply, ended.then(() => Promise.reject(new Error('The locker ended.')))])
      return held
    },
  }
}
