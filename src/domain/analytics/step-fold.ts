import type { Decision } from '../approval/execution.ts'
import { DurationSketch, type SavedSketch } from './durations.ts'
import { Arrivals, Moments, type SavedArrivals, type SavedMoments } from './moments.ts'

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

/** The figures of one step as plain data. */
export interface SavedStepFold {
  readonly counts: readonly [assigned: number, approved: number, rejected: number]
  readonly waiting: SavedSketch
  readonly working: SavedSketch
  readonly arrivals: SavedArrivals
  readonly critical: SavedMoments
  readonly approvers: readonly (readonly [
    email: string,
    waiting: SavedMoments,
    working: SavedMoments,
    nextBest: SavedMoments,
  ])[]
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

  /** Returns the state as plain data, for `load`. */
  save(): SavedStepFold {
    return {
      counts: [this.assigned, this.approved, this.rejected],
      waiting: this.waiting.save(),
      working: this.working.save(),
      arrivals: this.arrivals.save(),
      critical: this.critical.save(),
      approvers: [...this.#approvers].map(([email, { waiting, working, nextBest }]) => {
        return [email, waiting.save(), working.save(), nextBest.save()] as const
      }),
    }
  }

  /** Continues from a saved state. */
  load({ counts, waiting, working, arrivals, critical, approvers }: SavedStepFold): void {
    const [assigned, approved, rejected] = counts
    this.assigned = assigned
    this.approved = approved
    this.rejected = rejected
    this.waiting.load(waiting)
    this.working.load(working)
    this.arrivals.load(arrivals)
    this.critical.load(critical)
    for (const [email, waiting, working, nextBest] of approvers) {
      const approver = new ApproverFold()
      approver.waiting.load(waiting)
      approver.working.load(working)
      approver.nextBest.load(nextBest)
      this.#approvers.set(email, approver)
    }
  }
}
