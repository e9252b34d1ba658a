import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Flow } from '../flow/flow.ts'
import type { Verdict } from './verdict.ts'

/** What a check saw. */
export interface Observation {
  readonly verdict: Extract<Verdict, 'pass' | 'fail' | 'inconclusive' | 'not-applicable'>
  readonly message: string
}

/** A check of one requirement, by which it is named. */
export interface Check {
  readonly id: RequirementId
  readonly run: (flow: Flow) => Promise<Observation>
}

export const pass = (message: string): Observation => ({ verdict: 'pass', message })
export const fail = (message: string): Observation => ({ verdict: 'fail', message })
export const inconclusive = (message: string): Observation => ({ verdict: 'inconclusive', message })

/** The deployment does not show what would have to be looked at; the document does not ask it to. */
export const notShown = (message: string): Observation => ({ verdict: 'not-applicable', message })

/**
 * A step of the flow did not come about, for a reason that one requirement names: that check has this verdict, and every
 * other check that needs the step is blocked by it.
 */
export class Broken extends Error {
  constructor(
    readonly by: RequirementId,
    readonly verdict: 'fail' | 'inconclusive',
    message: string,
  ) {
    super(message)
  }
}
