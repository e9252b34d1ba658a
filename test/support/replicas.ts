import type { ChildProcess } from 'node:child_process'
import type { StartOptions } from '../../src/node/start-mock.ts'
import { bundled } from './bundled.ts'
import { ready, startNode } from './command.ts'

/** A mock in a process of its own. */
export interface Replica {
  readonly url: string
  readonly process: ChildProcess
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
  const [program, ...args] = [...prefix, process.execPath, script, journal, JSON.stringify(options)]
  const { child, url, ended } = await ready(startNode(args, {}, undefined, program))
  return {
    url,
    process: child,
    async end(signal) {
      child.kill(signal)
      // A process that is paused ends only when it goes on.
      if (signal === 'SIGTERM') child.kill('SIGCONT')
      await ended
    },
  }
}
