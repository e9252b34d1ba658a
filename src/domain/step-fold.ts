import { DurationSketch } from './durations.ts'
import type { Decision } from './execution.ts'
import { Arrivals, Moments } from './moments.ts'

/** What one approver did in one step. */
export class ApproverFold {
  readonly waiting = new Moments()
  readonly working = new Moments()
}

/** What happened in one step; its memory grows with its approvers, not with its assignments. */
export class StepFold {
  assigned = 0
  approved = 0
  rejected = 0
  readonly waiting = new DurationSketch()
  readonly working = new DurationSketch()
  readonly arrivals = new Arrivals()
  /** The times, from the begin of the stage, of executions that waited for this step. */
  readonly critical = new Moments()
  readonly #approvers = new Map<string, ApproverFold>()

  /** The approver's part; an empty one before the first decision. */
  approver(email: string): ApproverFold {
    return this.#approvers.get(email) ?? new ApproverFold()
  }

  decide(decision: Decision, email: string, waitedMs: number, workedMs: number): void {
    this.assigned -= 1
    this[decision] += 1
    this.waiting.add(waitedMs)
    this.working.add(workedMs)
    const approver = this.approver(email)
    approver.waiting.add(waitedMs)
    approver.working.add(workedMs)
    this.#approvers.set(email, approver)
  }
}
