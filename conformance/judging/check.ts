import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Finding, Ground } from '../reading/finding.ts'
import type { Verdict } from './verdict.ts'

/** What a check saw. */
export interface Observation {
  readonly verdict: Extract<Verdict, 'pass' | 'accepted' | 'fail' | 'inconclusive' | 'not-applicable'>
  readonly message: string
  /** What a failure rests on. */
  readonly ground?: Ground
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
/** What is shown is as it was sent; if only likely places show it, it counts as accepted. */
export const verified = (findings: readonly Finding[], message = 'It is shown as it was sent.'): Observation =>
  findings.some(({ strength }) => strength !== 'likely')
    ? pass(message)
    : accepted('It was accepted, and is not shown at a place that is more than likely.')

/**
 * A fact is broken, as a call's outcome, an answer as a whole or a place in one shows. A check states its ground and does not
 * weigh it: `grounds.ts` says which grounds may accuse, and on any other nothing is decided.
 *
 * @example fail('isSequential was sent as false, and is shown as true.', finding)
 */
export const fail = (message: string, ground: Ground): Observation => ({ verdict: 'fail', message, ground })
export const inconclusive = (message: string): Observation => ({ verdict: 'inconclusive', message })

/** The deployment does not show what would have to be looked at; the document does not ask it to. */
export const notShown = (message: string): Observation => ({ verdict: 'not-applicable', message })
