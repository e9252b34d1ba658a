import type { Desk } from './history.ts'
import type { Approver, Step } from './workflow.ts'

export type Priority = 'low' | 'normal' | 'high'

/** One approver who could be chosen, and what speaks for or against. */
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

/** What a choice rests on. */
export interface RoutingQuestion {
  readonly step: Step
  readonly priority: Priority
  readonly desk: (email: string) => Desk
}

/** Chooses an approver of a step. */
export type Router = (question: RoutingQuestion) => Route

/** Chooses an approver of the step. */
export function route({ step, desk }: RoutingQuestion): Route {
  const [assignee] = step.approvers
  if (!assignee) throw new TypeError(`Step '${step.stepId}' has no approvers`)
  const candidates = step.approvers.map(({ email }): Candidate => {
    const { decisions, open } = desk(email)
    return {
      email,
      expectedMinutes: step.estimatedMinutes * (open + 1),
      samples: decisions,
      openAssignments: open,
      reason: `The step's estimate, for each of ${open + 1} on the desk.`,
    }
  })
  return { assignee, reason: `${assignee.email} is the first approver of the step.`, candidates }
}
