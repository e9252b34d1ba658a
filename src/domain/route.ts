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
  readonly candidates: readonly Candidate[]
}
