/** From a transcript to verdicts: pure, so that a run can be judged again from its report. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { explain } from '../diagnosis/diagnoses.ts'
import type { Evidence, Looked } from '../evidence/evidence.ts'
import { Broken, Crashed, Missing, Refused } from '../evidence/failures.ts'
import type { Ground } from '../reading/finding.ts'
import { Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Check } from './check.ts'
import { weighed } from './grounds.ts'
import type { Verdict } from './verdict.ts'

/** What a check comes to in one attempt. */
export interface Outcome {
  readonly verdict: Verdict
  readonly message: string
  /** What a failure rests on, or what would have been one if its ground might accuse. */
  readonly ground?: Ground
  /** The check that it waits for. */
  readonly blockedBy?: RequirementId
  /** What broke, if the check is blocked by a failure. */
  readonly failure?: string
  /** The check that met the failure, if it was not this one. */
  readonly witness?: RequirementId
  readonly looked: Looked
}

/** What the checks come to, and the steps that still have to be taken to tell. */
export interface Judgement {
  readonly outcomes: ReadonlyMap<RequirementId, Outcome>
  readonly missing: ReadonlySet<StepName>
}

/** Judges checks on the evidence of one attempt. */
export function judge(checks: readonly Check[], evidence: Evidence): Judgement {
  const outcomes = new Map<RequirementId, Outcome>()
  const missing = new Set<StepName>()
  for (const check of checks) {
    const { looked, ...seen } = evidence.observe(() => outcomeOf(check, evidence))
    if ('value' in seen) outcomes.set(check.id, { ...seen.value, looked })
    else if (seen.error instanceof Missing) missing.add(seen.error.step)
    else outcomes.set(check.id, { ...harnessError(seen.error), looked })
  }
  for (const [id, outcome] of outcomes) {
    const { blockedBy, failure, ground, looked } = outcome
    if (!blockedBy || failure === undefined || outcomes.get(blockedBy)?.verdict !== 'pass') continue
    // A step broke on a way that the check to blame does not go itself, so that check has failed where it was met.
    outcomes.set(blockedBy, { verdict: 'fail', message: failure, ...(ground && { ground }), witness: id, looked })
  }
  return { outcomes, missing }
}

function outcomeOf({ id, judge }: Check, evidence: Evidence): Omit<Outcome, 'looked'> {
  try {
    return weighed(judge(evidence))
  } catch (error) {
    const why = error instanceof Refused ? explain(evidence, error) : error
    if (why instanceof Broken) return broken(id, why)
    if (why instanceof Undecided) return { verdict: 'inconclusive', message: why.message }
    throw why
  }
}

function broken(id: RequirementId, { by, message: said, ...why }: Broken): Omit<Outcome, 'looked'> {
  const { verdict, message, ground } = weighed({ verdict: why.verdict, message: `${said}.`, ground: why.ground })
  const rests = (verdict === 'fail' || why.verdict === 'fail') && { ground }
  if (by === id) return { verdict, message, ...rests }
  const failure = verdict === 'fail' && { failure: message, ...rests }
  return { verdict: 'blocked', message: `Waits for ${by}: ${message}`, blockedBy: by, ...failure }
}

function harnessError(error: unknown): Omit<Outcome, 'looked'> {
  if (error instanceof Crashed) return { verdict: 'harness-error', message: error.reason }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { verdict: 'harness-error', message }
}

/**
 * Returns what another attempt makes of a failure: it is the same, or it comes and goes. If the other attempt could not
 * decide, such as for want of an answer, the failure was not seen as often as it must be.
 */
export function confirm(first: Outcome, second: Outcome): Outcome & { readonly flaky: boolean } {
  const looked = {
    places: new Set([...first.looked.places, ...second.looked.places]),
    steps: new Set([...first.looked.steps, ...second.looked.steps]),
  }
  if (second.verdict === 'harness-error') return { ...second, flaky: false }
  if (second.verdict === 'fail') return { ...first, ...second, looked, flaky: false }
  // The other attempt broke before it came to this, so the deployment is as broken there.
  if (second.failure !== undefined) return { ...first, looked, flaky: false }
  const isOpen = second.verdict === 'inconclusive' || second.verdict === 'blocked'
  const why = isOpen ? 'It failed, and could not be looked at again' : 'Its tries disagree'
  return {
    verdict: 'inconclusive',
    message: `${why}: ${first.message} Then: ${second.message}`,
    looked,
    flaky: !isOpen,
  }
}
