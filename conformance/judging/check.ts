import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Verdict } from './verdict.ts'

/** What a check saw. */
export interface Observation {
  readonly verdict: Extract<Verdict, 'pass' | 'accepted' | 'fail' | 'inconclusive' | 'not-applicable'>
  readonly message: string
}

/**
 * A check of one requirement, by which it is named. Pure: what it says follows from the evidence alone. Throws if a step that
 * it looks at did not come about.
 */
export interface Check {
  readonly id: RequirementId
  readonly judge: (evidence: Evidence) => Observation
}

export const pass = (message: string): Observation => ({ verdict: 'pass', message })
/** The deployment took what was sent, and shows nothing that would confirm or refute it. */
export const accepted = (message: string): Observation => ({ verdict: 'accepted', message })
export const fail = (message: string): Observation => ({ verdict: 'fail', message })
export const inconclusive = (message: string): Observation => ({ verdict: 'inconclusive', message })

/** The deployment does not show what would have to be looked at; the document does not ask it to. */
export const notShown = (message: string): Observation => ({ verdict: 'not-applicable', message })
