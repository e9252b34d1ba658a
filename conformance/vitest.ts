import { describe, test } from 'vitest'
import { requirement } from './catalogue.ts'
import { checks } from './checks/index.ts'
import type { CheckResult, RunResult } from './result.ts'
import { type RunOptions, run } from './runner.ts'

/** What a test needs: an address and a key, or a function; see `RunOptions`. */
export interface ConformanceOptions extends Omit<RunOptions, 'onResult' | 'apiKey'> {
  /** The tests fail where the environment has none. */
  readonly apiKey: string | undefined
}

/**
 * The conformance suite as tests in a suite of one's own: one test for each check. What could not be decided fails,
 * unless it is only to be observed; what does not apply, or was switched off, is skipped with the reason.
 */
export function describeConformance(
  title: string,
  options: ConformanceOptions | (() => Promise<ConformanceOptions>),
): void {
  describe(title, () => {
    let running: Promise<RunResult> | undefined
    const result = async (): Promise<RunResult> => {
      running ??= Promise.resolve(typeof options === 'function' ? options() : options).then(runWithKey)
      return running
    }
    for (const { id } of checks) {
      const { section, fact } = requirement(id)
      test(`${id} (section ${section}): ${fact}`, { timeout: 150_000 }, async ({ skip }) => {
        const found = (await result()).checks.find((check) => check.id === id)
        if (!found) throw new Error(`The check ${id} did not run.`)
        if (isSkipped(found)) skip(found.message)
        if (found.verdict !== 'pass') throw new Error(`${found.verdict}: ${found.message}`)
      })
    }
  })
}

async function runWithKey({ apiKey, ...options }: ConformanceOptions): Promise<RunResult> {
  if (apiKey) return run({ ...options, apiKey })
  throw new Error('Failed to run: because apiKey is not set. Give the key, or set the variable that it is read from.')
}

/** A warning is no failure of the deployment, so it is told as the reason of a skipped test. */
function isSkipped({ verdict, provenance, level }: CheckResult): boolean {
  const binds = provenance === 'documented' && level === 'must'
  return (
    verdict === 'not-applicable' ||
    verdict === 'not-run' ||
    (!binds && verdict !== 'pass' && verdict !== 'harness-error')
  )
}
