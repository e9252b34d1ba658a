import type { RequirementId } from './catalogue.ts'
import type { Flow } from './flow.ts'
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

/** A check cannot begin, because what it needs did not come about; the check that watches that says why. */
export class Blocked extends Error {
  constructor(
    readonly by: RequirementId,
    message: string,
  ) {
    super(message)
  }
}
