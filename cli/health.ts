import { exit } from './exit.ts'
import type { Flags } from './options.ts'

/** Milliseconds to wait for the answer. */
const patienceMs = 4000

/** Checks that a mock on this machine answers, and returns the exit code. Without a key, it answers a refusal, and creates nothing. */
export async function checkHealth({ port }: Flags<'health'>): Promise<number> {
  const url = `http://127.0.0.1:${port}`
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await fetch(`${url}/api/v1/workflows/health`, { signal }).catch((cause: unknown) => {
    throw new Error(`The mock does not answer at ${url}. Check that it is running, and on this port (--port).`, {
      cause,
    })
  })
  await answer.body?.cancel()
  if (answer.status >= 500) throw new Error(`The mock at ${url} answers with ${answer.status}. See its log.`)
  return exit.ok
}
