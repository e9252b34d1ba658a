import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { StartOptions } from '../../src/node/start-mock.ts'
import { bundled } from './bundled.ts'

/** A mock in a process of its own. */
export interface Replica {
  readonly url: string
  readonly process: ChildProcess
  /** Everything that it has written about itself. */
  readonly complaints: () => string
  /** Ends it at once, as a crash does, or lets it stop. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts a mock on a journal, on a free port. `prefix` has the words before its command, such as those of a namespace. */
export async function startReplica(
  journal: string,
  options: StartOptions = {},
  prefix: readonly string[] = [],
): Promise<Replica> {
  const script = await bundled(new URL('replica.ts', import.meta.url))
  const [command = '', ...args] = [...prefix, process.execPath, script, journal, JSON.stringify(options)]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (data) => {
    complaints += data
  })
  const ended = once(child, 'exit')
  const url = await Promise.race([
    once(child.stdout, 'data').then(([data]) => String(data).trim()),
    ended.then(() => {
      throw new Error(`The mock did not start. ${complaints}`)
    }),
  ])
  return {
    url,
    process: child,
    complaints: () => complaints,
    async end(signal) {
      child.kill(signal)
      // A process that is paused ends only when it goes on.
      if (signal === 'SIGTERM') child.kill('SIGCONT')
      await ended
    },
  }
}
