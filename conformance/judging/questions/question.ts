import type { GapId } from '../../catalogue/catalogue.ts'
import { type Evidence, wasCarriedOut } from '../../evidence/evidence.ts'
import { type Exchange, pathOf, Undecided } from '../../wire/exchange.ts'
import { preparing, type QuestionStep } from '../../wire/label.ts'

/** An open question of the document, and how the evidence answers it. It has no verdict. */
export interface Question {
  readonly id: GapId
  /** The reference's answer, in the words of `answer`. */
  readonly ours: string
  /** The call that is sent only for this question, if there is one. */
  readonly step?: QuestionStep
  readonly answer: (evidence: Evidence) => string
}

/** Creates a question that is answered by the outcome of its own call. `what` is the prefix of the answer. */
export function byOutcome(id: QuestionStep, ours: string, what = ''): Question {
  return {
    id,
    ours: what + ours,
    step: id,
    answer: (evidence) => what + outcome(evidence, answerOfQuestion(id, evidence)),
  }
}

/** Returns the answer to a question's own call. Throws `Undecided` if only calls that prepare it were sent. */
export function answerOfQuestion(id: QuestionStep, evidence: Evidence): Exchange {
  const answer = evidence.last(id)
  if (answer.label?.about !== preparing) return answer
  throw new Undecided(
    `The question '${id}'`,
    'was not asked',
    `${pathOf(answer.request)} was answered ${answer.status}, without what the question needs`,
  )
}

/** Describes the outcome of a call in a few words. `accepted` says what it means that it was carried out. */
export function outcome(evidence: Evidence, exchange: Exchange, accepted = 'accepted'): string {
  if (wasCarriedOut(evidence, exchange)) return accepted
  const { status } = exchange
  return status < 300 ? `refused with status ${status}` : `status ${status}`
}

/** Says where a part of an answer stands. */
export const placed = (what: string, place: string | undefined) => (place ? `${what} at ${place}` : `${what} not found`)

/** Lists the names of an answer's top-level members. */
export function memberNames({ json }: Exchange): string {
  if (json === null || typeof json !== 'object') return 'no members'
  return Object.keys(json).sort().slice(0, 20).join(', ') || 'no members'
}
