import type { GapId } from '../../catalogue/catalogue.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import { type Exchange, succeeded } from '../../wire/exchange.ts'
import type { QuestionStep } from '../../wire/label.ts'

/** An open question of the document, and how the evidence answers it. Judges nothing. */
export interface Question {
  readonly id: GapId
  /** What the reference does, as `answer` puts it. */
  readonly ours: string
  /** The call that is sent for this question alone, if there is one. */
  readonly step?: QuestionStep
  readonly answer: (evidence: Evidence) => string
}

/** A question that is answered by the outcome of a call of its own; `what` stands before it. */
export function byOutcome(id: QuestionStep, ours: string, what = ''): Question {
  return { id, ours: what + ours, step: id, answer: (evidence) => what + outcome(evidence.last(id)) }
}

/** Returns how a call was answered, in the fewest words. */
export function outcome(exchange: Exchange): string {
  return succeeded(exchange) ? 'accepted' : `status ${exchange.status}`
}

/** Returns the names of an answer's own members. */
export function memberNames({ json }: Exchange): string {
  if (json === null || typeof json !== 'object') return 'no members'
  return Object.keys(json).sort().slice(0, 20).join(', ') || 'no members'
}
