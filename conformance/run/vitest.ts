/**
 * The conformance suite as Vitest tests.
 *
 * @module countersign/vitest
 */
import { describe, test } from 'vitest'
import { requirement } from '../catalogue/catalogue.ts'
import { checks } from '../judging/checks.ts'
import { binds, type Judged } from '../judging/verdict.ts'
import { particularsLine } from '../report/particulars.ts'
import type { RunResult } from '../report/result.ts'
import { type RunOptions, run } from './runner.ts'
import { type SafetyOptions, safety } from './safety.ts'

export type { Profile } from '../../src/profile/profile.ts'

/** Options of {@link describeConformance}. */
export interface ConformanceOptions
  extends Omit<RunOptions, 'onResult' | 'apiKey' | 'perSecond'>,
    Pick<SafetyOptions, 'perSecond' | 'allowLiveKey'> {
  /**
   * Test-mode API key of the deployment. The tests fail if it is undefined, for example because a variable is not set.
   *
   * @example `{ apiKey: process.env.API_KEY }`
   */
  readonly apiKey: string | undefined
}

/**
 * Defines one Vitest test for each check of the conformance suite. A check that is undecided fails, unless it only
 * observes; a check that does not apply, or is switched off, is skipped with the reason. Takes options, or a function that
 * returns them, for example once a server has started.
 *
 * In Node, each connection is checked by the address that it goes to, so a deployment cannot direct the suite to a more
 * private network. A `fetch` of your own is not checked.
 *
 * @example
 * ```js
 * import { startMock } from 'countersign/node'
 * import { describeConformance } from 'countersign/vitest'
 *
 * describeConformance('our deployment', async () => {
 *   const { url } = await startMock({ approvers: 'instant' })
 *   return { url, apiKey: 'test_a' }
 * })
 * ```
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
        if (found.verdict !== 'pass' && found.verdict !== 'accepted')
          throw new Error([`${found.verdict}: ${found.message}`, particularsLine(found)].filter(Boolean).join('\n'))
      })
    }
  })
}

async function runWithKey({ apiKey, ...options }: ConformanceOptions): Promise<RunResult> {
  if (!apiKey) {
    throw new Error('The API key is missing. Pass apiKey, or set the environment variable that it is read from.')
  }
  const { flaw, ...pace } = safety({ ...options, apiKey })
  if (flaw) throw new Error(`${flaw} set allowLiveKey.`)
  return run({ ...options, ...pace, apiKey })
}

/** Returns true if a test is skipped. A warning is not a failure, so it is the reason of a skipped test. */
function isSkipped(found: Judged): boolean {
  const { verdict } = found
  if (verdict === 'not-applicable' || verdict === 'not-run') return true
  return !binds(found) && !['pass', 'accepted', 'harness-error'].includes(verdict)
}
