import type { Approver } from './workflow.ts'

export type Priority = 'low' | 'normal' | 'high'

/** One approver who could be chosen, and what speaks for or against. `expectedMinutes` is from now to the decision. */
export interface Candidate {
  readonly email: string
  readonly expectedMinutes: number
  readonly samples: number
  readonly openAssignments: number
  readonly reason: string
}

/** Who should approve a step, and why (interface.md section 1, smart routing). */
export interface Route {
  readonly assignee: Approver
  readonly reason: string
  /** The assignee and those who are expected to decide soonest, in the step's order; at most `mostCandidates`. */
  readonly candidates: readonly Candidate[]
}

/** A route lists no more candidates: with all of a hundred approvers, details of a hundred steps would have 30 MB. */
export const mostCandidates = 10
