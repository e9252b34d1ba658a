import type { Recorded } from './decider.ts'
import type { ExecutionEvent } from './execution.ts'

/** What is known of an approver. */
export interface Desk {
  /** Decisions so far. */
  readonly decisions: number
  /** Assignments that wait for a decision. */
  readonly open: number
  /** Time of the last decision, in milliseconds since 1970. */
  readonly lastDecisionAt: number
}

const emptyDesk: Desk = { decisions: 0, open: 0, lastDecisionAt: Number.NEGATIVE_INFINITY }

/** What is known of every approver of a tenant, folded from events. */
export class History {
  readonly #desks = new Map<string, Desk>()

  /** The desk of an approver; an empty one for a newcomer. */
  desk(email: string): Desk {
    return this.#desks.get(email) ?? emptyDesk
  }

  apply(event: Recorded<ExecutionEvent>): void {
    if (event.type === 'StepAssigned') {
      const { email } = event.route.assignee
      const desk = this.desk(email)
      this.#desks.set(email, { ...desk, open: desk.open + 1 })
    } else if (event.type === 'StepDecided') {
      const { decisions, open } = this.desk(event.email)
      this.#desks.set(event.email, { decisions: decisions + 1, open: open - 1, lastDecisionAt: event.at })
    } else if (event.type === 'AssignmentWithdrawn') {
      const desk = this.desk(event.email)
      this.#desks.set(event.email, { ...desk, open: desk.open - 1 })
    }
  }
}
