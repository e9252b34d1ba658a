/** Judges the checks from a transcript. This is pure, so that a run can be judged again from its report. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import { explain } from '../diagnosis/diagnoses.ts'
import type { Evidence, Looked } from '../evidence/evidence.ts'
import { Broken, Crashed, Missing, Refused } from '../evidence/failures.ts'
import type { Compared } from '../evidence/particulars.ts'
import type { Ground } from '../reading/finding.ts'
import { Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Check } from './check.ts'
import { applyGround } from './grounds.ts'
import type { Verdict } from './verdict.ts'

/** The outcome of a check in one attempt. */
export interface Outcome {
  readonly verdict: Verdict
  readonly message: string
  /** The ground of a failure, or of an inconclusive result whose ground may not accuse. */
  readonly ground?: Ground
  /** The call that the failure is about, and the values that it compares. */
  readonly compared?: Compared
  /** The check that blocks it. */
  readonly blockedBy?: RequirementId
  /** The failure that blocks the check. */
  readonly failure?: string
  /** The check that found the failure, if it was another one. */
  readonly witness?: RequirementId
  readonly looked: Looked
}

/** The outcomes of the checks, and the steps that they still need. */
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
    else outcomes.set(check.id, { ...harnessErrorOf(seen.error), looked })
  }
  for (const [id, outcome] of outcomes) {
    const { blockedBy, failure, ground, compared, looked } = outcome
    if (!blockedBy || failure === undefined || outcomes.get(blockedBy)?.verdict !== 'pass') continue
    // The broken check itself does not read the failed step, so another check found its failure.
    const rests = { ...(ground && { ground }), ...(compared && { compared }) }
    outcomes.set(blockedBy, { verdict: 'fail', message: failure, ...rests, witness: id, looked })
  }
  return { outcomes, missing }
}

function outcomeOf({ id, judge }: Check, evidence: Evidence): Omit<Outcome, 'looked'> {
  try {
    return applyGround(judge(evidence))
  } catch (error) {
    const why = error instanceof Refused ? explainOnce(evidence, error) : error
    if (why instanceof Broken) {
      const refused = error instanceof Refused ? { exchange: error.answer } : undefined
      return outcomeOfBroken(id, why, why.compared ?? refused)
    }
    if (why instanceof Undecided) return { verdict: 'inconclusive', message: why.message }
    throw why
  }
}

/** Explains a refusal once, since it blocks many checks. */
function explainOnce(evidence: Evidence, refused: Refused): unknown {
  return evidence.once(`why ${refused.step} ${refused.answer.place}`, () => explain(evidence, refused))
}

function outcomeOfBroken(
  id: RequirementId,
  { by, message: said, ...why }: Broken,
  compared: Compared | undefined,
): Omit<Outcome, 'looked'> {
  const { verdict, message, ground } = applyGround({ verdict: why.verdict, message: `${said}.`, ground: why.ground })
  const rests = (verdict === 'fail' || why.verdict === 'fail') && { ground, ...(compared && { compared }) }
  if (by === id) return { verdict, message, ...rests }
  const failure = verdict === 'fail' && { failure: message, ...rests }
  return { verdict: 'blocked', message: `Blocked by ${by}: ${message}`, blockedBy: by, ...failure }
}

function harnessErrorOf(error: unknown): Omit<Outcome, 'looked'> {
  if (error instanceof Crashed) return { verdict: 'harness-error', message: error.reason }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { verdict: 'harness-error', message }
}

/**
 * Combines a failure with the outcome of another attempt: confirmed, flaky, or inconclusive. If the other attempt could not
 * decide, for example without an answer, the failure is not confirmed.
 */
export function confirm(first: Outcome, second: Outcome): Outcome & { readonly flaky: boolean } {
  const looked = {
    places: new Set([...first.looked.places, ...second.looked.places]),
    shared: new Set([...first.looked.shared, ...second.looked.shared]),
    steps: new Set([...first.looked.steps, ...second.looked.steps]),
  }
  if (second.verdict === 'harness-error') return { ...second, flaky: false }
  if (second.verdict === 'fail') return { ...first, ...second, looked, flaky: false }
  // The other attempt failed in an earlier step, which confirms that the deployment is broken.
  if (second.failure !== undefined) return { ...first, looked, flaky: false }
  const isOpen = second.verdict === 'inconclusive' || second.verdict === 'blocked'
  const why = isOpen ? 'It failed, but another attempt could not decide' : 'Its attempts disagree'
  return {
    verdict: 'inconclusive',
    message: `${why}. First: ${first.message} Then: ${second.message}`,
    looked,
    flaky: !isOpen,
  }
}
