import type { Approver } from './workflow.ts'

export const mostUrgentFirst = ['high', 'normal', 'low'] as const
export type Priority = (typeof mostUrgentFirst)[number]

/** An approver who can be chosen, and the reasons for or against. `expectedMinutes` runs from now to the decision. */
export interface Candidate {
  readonly email: string
  readonly expectedMinutes: number
  readonly samples: number
  readonly openAssignments: number
  readonly reason: string
}

/** The approver chosen for a step, and why (interface.md section 1, smart routing). */
export interface Route {
  readonly assignee: Approver
  readonly reason: string
  /** The assignee and the candidates expected to decide soonest, in the step's order; at most `mostCandidates`. */
  readonly candidates: readonly Candidate[]
}

/** Returns the least expected minutes of the candidates that were not chosen; undefined if there are none. */
export function nextBestMinutes({ assignee, candidates }: Route): number | undefined {
  const others = candidates.filter(({ email }) => email !== assignee.email)
  return others.length > 0 ? Math.min(...others.map(({ expectedMinutes }) => expectedMinutes)) : undefined
}

/** The longest list of candidates in a route: listing all of 100 approvers for 100 steps would make details 30 MB. */
export const mostCandidates = 10
