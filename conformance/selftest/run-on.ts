import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import { judgeRun, type RunJudgement } from '../judging/judge-run.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { type RunOptions, run } from '../run/runner.ts'
import { virtualTime } from './virtual-time.ts'
import type { ServerFunction } from './wrapper.ts'

/** The documented requirements that a client can observe: each has a check, and each check a mutant that it kills. */
export const documented: readonly RequirementId[] = requirementIds.filter((id) => {
  const { provenance, unobservable } = requirement(id)
  return provenance === 'documented' && unobservable === undefined
})

/** Runs the suite on a function, in no time and with a single try, for a function does not flicker. */
export function runOn(fetch: ServerFunction, options: Partial<RunOptions> = {}) {
  const target = { url: 'http://selftest.test', apiKey: 'test_selftest', fetch }
  return run({ ...target, tries: 1, gaps: false, time: virtualTime(), ...options })
}

/** What the documented checks come to on a function. */
export async function documentedOn(
  fetch: ServerFunction,
  options?: Partial<RunOptions>,
): Promise<readonly CheckResult[]> {
  return documentedAmong((await runOn(fetch, options)).checks)
}

/** The results of documented checks. */
export function documentedAmong(results: readonly CheckResult[]): readonly CheckResult[] {
  return results.filter(({ provenance }) => provenance === 'documented')
}

/** Returns what a run's own transcript comes to when it is judged again, as a report would hold it. */
export function judgedAgain({ exchanges, withheld, crashes, settings, url, runId }: RunResult): RunJudgement {
  const transcript = JSON.parse(JSON.stringify({ exchanges, withheld, crashes }))
  return judgeRun(transcript, { ...settings, url, runId })
}

/** The part of a run that follows from its transcript. */
export function judgementOf({ verdict, checks, gaps, located, findings }: RunJudgement) {
  return { verdict, checks, gaps, located, findings }
}
