import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { describeAnswer, type Exchange, pathOf, succeeded, Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Judge, pass } from './check.ts'

/** Passes if a step succeeds. If it fails, the step throws the reason. */
export const stepSucceeds =
  (step: (evidence: Evidence) => Exchange): Judge =>
  (evidence) =>
    pass(`${describeAnswer(step(evidence))}.`)

/**
 * Returns the answer to a request that should be refused. A 5xx counts as a refusal only if it is repeatable.
 * Throws `Undecided` if the repeated request got another refusal.
 */
export function refusalOf(evidence: Evidence, step: StepName): Recorded {
  const last = evidence.last(step)
  const [first = last] = evidence.all(step).filter(({ status }) => status !== 429)
  if (first.status < 500) return first
  if (last.status >= 500 || succeeded(last)) return last
  const why = `it answered ${first.status}, and ${last.status} when it was repeated`
  throw new Undecided(pathOf(first.request), 'is inconclusive', why)
}

/** Returns an answer that shows whether a request was accepted. Throws `Undecided` for a 5xx, which does not. */
export function requireConclusive<Answer extends Exchange>(answer: Answer): Answer {
  if (answer.status < 500) return answer
  const why = `it answered ${answer.status}, although similar requests succeed`
  throw new Undecided(pathOf(answer.request), 'is inconclusive', why)
}

/** Returns the results for documents 1 and 2. Omits the second if it failed, which another check reports. */
export function ofBoth<T>(look: (which: 1 | 2) => T): T[] {
  const first = look(1)
  const second = resultIfSucceeded(() => look(2))
  return second === undefined ? [first] : [first, second]
}

/** Returns true if a text is a UUID, in any case (RFC 9562 section 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** The message for an execution that the details do not show. */
export const notStarted =
  'The execution was accepted, but the details neither count nor list it. If they show it later, set settleSeconds in the profile'
