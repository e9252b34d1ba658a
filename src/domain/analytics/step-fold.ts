import type { Decision } from '../approval/execution.ts'
import { DurationSketch } from './durations.ts'
import { Arrivals, Moments } from './moments.ts'

/** The record of one approver in one step. */
export class ApproverFold {
  readonly waiting = new Moments()
  readonly working = new Moments()
  /** The time that the next best approver was expected to take, each time work went to this one. */
  readonly nextBest = new Moments()
}

/** A decision; times in milliseconds. */
export interface TimedDecision {
  readonly decision: Decision
  readonly email: string
  readonly waitedMs: number
  readonly workedMs: number
  /** The time that the next best approver was expected to take; this approver's own time if there is no other. */
  readonly nextBestMs: number
}

/** The figures of one step. Memory grows with its approvers, not with its assignments. */
export class StepFold {
  assigned = 0
  approved = 0
  rejected = 0
  readonly waiting = new DurationSketch()
  readonly working = new DurationSketch()
  readonly arrivals = new Arrivals()
  /** The time from the start of the stage, for executions that waited for this step. */
  readonly critical = new Moments()
  readonly #approvers = new Map<string, ApproverFold>()

  /** Returns the record of an approver, an empty one before the first decision. */
  approver(email: string): ApproverFold {
    return this.#approvers.get(email) ?? new ApproverFold()
  }

  decide({ decision, email, waitedMs, workedMs, nextBestMs }: TimedDecision): void {
    this.assigned -= 1
    this[decision] += 1
    this.waiting.add(waitedMs)
    this.working.add(workedMs)
    const approver = this.approver(email)
    approver.waiting.add(waitedMs)
    approver.working.add(workedMs)
    approver.nextBest.add(nextBestMs)
    this.#approvers.set(email, approver)
  }
}
