import { type RunOptions, run } from '../../conformance/run/runner.ts'
import { Undecided } from '../../conformance/wire/exchange.ts'
import type { Time } from '../../conformance/wire/transport.ts'
import type { RunPlan } from './run-options.ts'
import type { RunMessage } from './supervise.ts'

/** Runs the suite as planned, and tells its course and its end. */
export async function carryOut(
  { selected, isReference, connection, ...options }: RunPlan,
  tell: (message: RunMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now()
  try {
    const result = await run({
      ...options,
      // A proxy resolves names itself, so private addresses can only be refused by their spelling.
      checksAddresses: !isReference && !connection.proxies?.http && !connection.proxies?.https,
      selects: (id) => selected.includes(id),
      fetch: await fetchOf({ isReference, connection, url: options.url }),
      ...(isReference && { time: withoutPauses() }),
      signal,
      onBegin: (runId) => tell({ kind: 'begun', runId }),
      onProgress: (progress) => tell({ kind: 'progress', progress }),
      onResult: (result) => tell({ kind: 'result', result }),
    })
    tell({ kind: 'finished', run: { ...result, durationMs: Math.round(performance.now() - begun) } })
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    tell({ kind: 'unreachable', reason: error.reason })
  }
}

/** Returns a time whose pauses are over at once: nothing in the built-in reference is delayed. */
function withoutPauses(): Time {
  let skipped = 0
  const now = () => performance.now() + skipped
  return {
    now,
    async sleep(ms) {
      skipped += ms
    },
  }
}

/** Loads only what the run needs: the mock, or the client with its proxies and certificates. */
export async function fetchOf({
  isReference,
  connection,
  url,
}: Pick<RunPlan, 'isReference' | 'connection' | 'url'>): Promise<NonNullable<RunOptions['fetch']>> {
  if (isReference) return (await import('../mock.ts')).createMock().fetch
  return (await import('../connect/guarded-fetch.ts')).guardedFetch(url, { connection })
}
