import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Compared } from '../evidence/particulars.ts'
import type { Ground } from '../reading/finding.ts'
import type { Verdict } from './verdict.ts'

/** The result of a check. */
export interface Observation {
  readonly verdict: Extract<Verdict, 'pass' | 'accepted' | 'fail' | 'inconclusive' | 'not-applicable'>
  readonly message: string
  /** The ground of the failure. */
  readonly ground?: Ground
  /** The call that the failure is about, and the values that it compares. */
  readonly compared?: Compared
}

/** Judges one requirement. It is pure: its result depends only on the evidence. Throws if a step that it needs failed. */
export type Judge = (evidence: Evidence) => Observation

/** Checks by the ids of their requirements. */
export type Checks = Readonly<Partial<Record<RequirementId, Judge>>>

/** A check of one requirement, with the same id. */
export interface Check {
  readonly id: RequirementId
  readonly judge: Judge
}

export const pass = (message: string): Observation => ({ verdict: 'pass', message })
/** The deployment accepted the sent value, but no answer confirms or refutes it. */
export const accepted = (message: string): Observation => ({ verdict: 'accepted', message })

/**
 * The deployment violates the requirement: a call's outcome, a whole answer or a place in an answer shows it. A check states
 * its ground without weighing it: `grounds.ts` decides which grounds may accuse. On any other, the check is inconclusive.
 *
 * @example fail('isSequential was sent as false, but is shown as true.', finding, { exchange, sent: false, shown: true })
 */
export const fail = (message: string, ground: Ground, compared: Compared): Observation => ({
  verdict: 'fail',
  message,
  ground,
  compared,
})
export const inconclusive = (message: string): Observation => ({ verdict: 'inconclusive', message })

/** The deployment does not show the value that the check needs, and the document does not require it to. */
export const notShown = (message: string): Observation => ({ verdict: 'not-applicable', message })
