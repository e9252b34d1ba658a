import {
  type Decision,
  type Execution,
  type ExecutionEvent,
  type ExecutionStep,
  stepOf,
} from '../approval/execution.ts'
import { nextBestMinutes } from '../approval/route.ts'
import type { Workflow } from '../approval/workflow.ts'
import type { Journaled } from '../decider.ts'
import { Arrivals, DurationSketch, type Durations, Moments } from './durations.ts'

/** Counts and times of a workflow's executions. Rates are from 0 to 1; figures without data are undefined. */
export interface ExecutionMetrics {
  readonly total: number
  readonly running: number
  readonly approved: number
  readonly rejected: number
  readonly successRate: number | undefined
  readonly completionTime: Durations | undefined
}

/** The performance of a step. `overrunMinutes` is the mean work time minus the estimate. */
export interface StepPerformance {
  readonly stepId: string
  readonly assigned: number
  readonly approved: number
  readonly rejected: number
  readonly approvalRate: number | undefined
  readonly waitingTime: Durations | undefined
  readonly workingTime: Durations | undefined
  readonly estimatedMinutes: number
  readonly overrunMinutes: number | undefined
  readonly criticalPathShare: number | undefined
}

const msPerMinute = 60_000

const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : undefined)

/** The analytics of a workflow, folded from its events. Reading them takes constant time. */
export class Analytics {
  #running = 0
  #approved = 0
  #rejected = 0
  /** The completion times of ended executions. */
  readonly completion = new DurationSketch()
  readonly #steps = new Map<string, StepFold>()

  #events = 0

  /** The number of events folded. While it is unchanged, so are all figures. */
  get events(): number {
    return this.#events
  }

  constructor(readonly workflow: Workflow) {}

  /** Folds an event of the workflow. `execution` is the state after it. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    this.#events += 1
    switch (event.type) {
      case 'ExecutionStarted':
        this.#running += 1
        break
      case 'StepAssigned': {
        const step = this.step(event.stepId)
        step.assigned += 1
        step.arrivals.add(event.at)
        break
      }
      case 'AssignmentWithdrawn':
        this.step(event.stepId).assigned -= 1
        break
      case 'StepDecided': {
        const { stepId, decision, email, takenUpAt, at } = event
        const { assignedAt = takenUpAt, route } = stepOf(execution, stepId)
        const nextBest = route && nextBestMinutes(route)
        const nextBestMs = nextBest === undefined ? at - assignedAt : nextBest * msPerMinute
        const waitedMs = takenUpAt - assignedAt
        this.step(stepId).decide({ decision, email, waitedMs, workedMs: at - takenUpAt, nextBestMs })
        break
      }
      case 'ExecutionCompleted':
        this.#running -= 1
        if (event.outcome === 'approved') this.#approved += 1
        else this.#rejected += 1
        this.completion.add(event.at - execution.startedAt)
        for (const { stepId, waitedMs, workedMs } of criticalPath(execution)) {
          this.step(stepId).critical.add(waitedMs + workedMs)
        }
    }
  }

  metrics(): ExecutionMetrics {
    const ended = this.#approved + this.#rejected
    return {
      total: this.#running + ended,
      running: this.#running,
      approved: this.#approved,
      rejected: this.#rejected,
      successRate: shareOf(this.#approved, ended),
      completionTime: this.completion.read(),
    }
  }

  steps(): StepPerformance[] {
    return this.workflow.steps.map(({ step_id: stepId, estimated_duration: estimatedMinutes }) => {
      const { assigned, approved, rejected, critical, waiting, working } = this.step(stepId)
      const workingTime = working.read()
      return {
        stepId,
        assigned,
        approved,
        rejected,
        estimatedMinutes,
        approvalRate: shareOf(approved, approved + rejected),
        waitingTime: waiting.read(),
        workingTime,
        overrunMinutes: workingTime && workingTime.meanMinutes - estimatedMinutes,
        criticalPathShare: shareOf(critical.totalMs, this.completion.totalMs),
      }
    })
  }

  /** Returns the fold of a step, created on first use: most workflows of a mock are never executed. */
  step(stepId: string): StepFold {
    const known = this.#steps.get(stepId)
    if (known) return known
    const step = new StepFold()
    this.#steps.set(stepId, step)
    return step
  }
}

/** A step on the critical path of an execution, with its times in milliseconds. */
interface CriticalStep {
  readonly stepId: string
  readonly waitedMs: number
  readonly workedMs: number
}

/**
 * Returns, for each stage that was reached, the step that ended it. A stage begins when the previous one ends, so the
 * times add up to the completion time, even if an assignment was recorded a little later.
 */
export function criticalPath({ stages, startedAt }: Execution): CriticalStep[] {
  let begun = startedAt
  return stages.flatMap((steps) => {
    const last = endOf(steps)
    if (!last) return []
    const { step, takenUpAt, decidedAt } = last
    const entry = { stepId: step.step_id, waitedMs: takenUpAt - begun, workedMs: decidedAt - takenUpAt }
    begun = decidedAt
    return entry
  })
}

type Decided = ExecutionStep & { readonly takenUpAt: number; readonly decidedAt: number }

/** Returns the step that ended a stage: the rejected one, or else the first of the last. */
function endOf(steps: readonly ExecutionStep[]): Decided | undefined {
  let latest: Decided | undefined
  for (const step of steps) {
    if (!isDecided(step)) continue
    if (step.status === 'rejected') return step
    if (!latest || step.decidedAt > latest.decidedAt) latest = step
  }
  return latest
}

function isDecided(step: ExecutionStep): step is Decided {
  return step.takenUpAt !== undefined && step.decidedAt !== undefined
}

/** The record of one approver in one step. */
class ApproverFold {
  readonly waiting = new Moments()
  readonly working = new Moments()
  /** The time that the next best approver was expected to take, each time work went to this one. */
  readonly nextBest = new Moments()
}

/** A decision; times in milliseconds. */
interface TimedDecision {
  readonly decision: Decision
  readonly email: string
  readonly waitedMs: number
  readonly workedMs: number
  /** The time that the next best approver was expected to take; this approver's own time if there is no other. */
  readonly nextBestMs: number
}

/** The figures of one step. Memory grows with its approvers, not with its assignments. */
class StepFold {
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
