import { exit } from './exit.ts'
import type { Flags } from './options.ts'

/** Milliseconds to wait for the answer. */
const patienceMs = 4000

/** Checks that a mock on this machine answers, and returns the exit code. */
export async function checkHealth({ port }: Flags<'health'>): Promise<number> {
  await requireAnswer(`http://127.0.0.1:${port}`)
  return exit.ok
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
