import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import { judgeRun, type RunJudgement } from '../judging/judge-run.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { type RunOptions, run } from '../run/runner.ts'
import { shareBodies, type Transcript } from '../wire/record.ts'
import { virtualTime } from './virtual-time.ts'
import { WholeRequest } from './whole.ts'
import type { ServerFunction } from './wrapper.ts'

/** The documented requirements that a client can observe. Each has a check, and each check a mutant that kills it. */
export const documented: readonly RequirementId[] = requirementIds.filter((id) => {
  const { provenance, unobservable } = requirement(id)
  return provenance === 'documented' && unobservable === undefined
})

/** Runs the suite on a server function, in virtual time, and with one attempt, since a function is deterministic. */
export function runOn(fetch: ServerFunction, options: Partial<RunOptions> = {}) {
  const target = { url: 'http://selftest.test', apiKey: 'test_selftest', fetch, Request: WholeRequest }
  return run({ ...target, tries: 1, gaps: false, time: virtualTime(), ...options })
}

/** Runs the suite on a server function and returns the results of the documented checks. */
export async function documentedOn(
  fetch: ServerFunction,
  options?: Partial<RunOptions>,
): Promise<readonly CheckResult[]> {
  return documentedAmong((await runOn(fetch, options)).checks)
}

/** Returns the results of the documented checks. */
export function documentedAmong(results: readonly CheckResult[]): readonly CheckResult[] {
  return results.filter(({ provenance }) => provenance === 'documented')
}

/** Judges a run's transcript again, after it was serialized as in a report. Searches the same bodies only once. */
export function judgeAgain({ exchanges, withheld, crashes, settings, url, runId }: RunResult): RunJudgement {
  const transcript: Transcript = JSON.parse(JSON.stringify({ exchanges, withheld, crashes }))
  shareBodies(exchanges, transcript.exchanges)
  return judgeRun(transcript, { ...settings, url, runId })
}

/** Returns the part of a run's result that follows from its transcript. */
export function judgementOf({ verdict, checks, gaps, located, findings }: RunJudgement) {
  return { verdict, checks, gaps, located, findings }
}
