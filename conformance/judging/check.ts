import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Verdict } from './verdict.ts'

/** The result of a check. */
export interface Observation {
  readonly verdict: Extract<Verdict, 'pass' | 'accepted' | 'fail' | 'inconclusive' | 'not-applicable'>
  readonly message: string
}

/**
 * A check of one requirement, with the same id. It is pure: its result depends only on the evidence. Throws if a step that
 * it needs failed.
 */
export interface Check {
  readonly id: RequirementId
  readonly judge: (evidence: Evidence) => Observation
}

export const pass = (message: string): Observation => ({ verdict: 'pass', message })
/** The deployment accepted the sent value, but no answer confirms or refutes it. */
export const accepted = (message: string): Observation => ({ verdict: 'accepted', message })
export const fail = (message: string): Observation => ({ verdict: 'fail', message })
export const inconclusive = (message: string): Observation => ({ verdict: 'inconclusive', message })

/** The deployment does not show the value that the check needs, and the document does not require it to. */
export const notShown = (message: string): Observation => ({ verdict: 'not-applicable', message })
