import { Command, Option } from 'commander'
import { exit } from './exit.ts'
import { port } from './options.ts'

/** Milliseconds to wait for the answer. */
const patienceMs = 4000

/** Creates `countersign health`, which checks that a mock on this machine answers. */
export function healthCommand(done: (code: number) => void): Command {
  return new Command('health')
    .description(
      'Exit with 0 if a mock answers on this machine, and with 4 if not. For the health check of a container.',
    )
    .addOption(
      new Option('--port <n>', 'port that the mock listens on').env('COUNTERSIGN_PORT').argParser(port).default(4010),
    )
    .action(async ({ port }: { port: number }) => {
      await requireAnswer(`http://127.0.0.1:${port}`)
      done(exit.ok)
    })
}

/** Throws unless the service answers. Without a key, the answer is a refusal, and nothing is created. */
async function requireAnswer(url: string): Promise<void> {
  const cure = 'Check that it is running, and on this port (--port).'
  const answer = await fetch(`${url}/api/v1/workflows/health`, { signal: AbortSignal.timeout(patienceMs) }).catch(
    (error: unknown) => {
      throw new Error(`The mock does not answer at ${url}. ${cure}`, { cause: error })
    },
  )
  await answer.body?.cancel()
  if (answer.status >= 500) throw new Error(`The mock at ${url} answers with ${answer.status}. See its log.`)
}
