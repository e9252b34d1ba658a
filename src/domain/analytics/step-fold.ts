import type { Decision } from '../approval/execution.ts'
import { DurationSketch } from './durations.ts'
import { Arrivals, Moments } from './moments.ts'

/** What one approver did in one step. */
export class ApproverFold {
  readonly waiting = new Moments()
  readonly working = new Moments()
  /** How long the next best approver was expected to take, each time it was this one. */
  readonly nextBest = new Moments()
}

/** A decision; times in milliseconds. */
export interface TimedDecision {
  readonly decision: Decision
  readonly email: string
  readonly waitedMs: number
  readonly workedMs: number
  /** How long another approver was expected to take; as long as this one took where there was no other. */
  readonly nextBestMs: number
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
