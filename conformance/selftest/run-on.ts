import { type RequirementId, requirement, requirementIds } from '../catalogue.ts'
import type { CheckResult } from '../result.ts'
import { type RunOptions, run } from '../runner.ts'
import { virtualTime } from './virtual-time.ts'
import type { Fetch } from './wrapper.ts'

/** The documented requirements that a client can observe: each has a check, and each check a mutant that it kills. */
export const documented: readonly RequirementId[] = requirementIds.filter((id) => {
  const { provenance, unobservable } = requirement(id)
  return provenance === 'documented' && unobservable === undefined
})

/** Runs the suite on a function, in no time and with a single try, for a function does not flicker. */
export function runOn(fetch: Fetch, options: Partial<RunOptions> = {}) {
  const target = { url: 'http://selftest.test', apiKey: 'test_selftest', fetch }
  return run({ ...target, tries: 1, gaps: false, time: virtualTime(), ...options })
}

/** What the documented checks come to on a function. */
export async function documentedOn(fetch: Fetch, options?: Partial<RunOptions>): Promise<readonly CheckResult[]> {
  return documentedAmong((await runOn(fetch, options)).checks)
}

/** The results of documented checks. */
export function documentedAmong(results: readonly CheckResult[]): readonly CheckResult[] {
  return results.filter(({ provenance }) => provenance === 'documented')
}
