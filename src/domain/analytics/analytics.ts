import { type Execution, type ExecutionEvent, stepOf } from '../approval/execution.ts'
import { nextBestMinutes } from '../approval/route.ts'
import type { Workflow } from '../approval/workflow.ts'
import type { Journaled } from '../decider.ts'
import { criticalPath } from './critical-path.ts'
import { DurationSketch, type Durations } from './durations.ts'
import { StepFold } from './step-fold.ts'

/** Counts and times of a workflow's executions. Rates are from 0 to 1; figures without data are absent. */
export interface ExecutionMetrics {
  readonly total: number
  readonly running: number
  readonly approved: number
  readonly rejected: number
  readonly successRate?: number
  readonly completionTime?: Durations
}

/** The performance of a step. `overrunMinutes` is the mean work time minus the estimate. */
export interface StepPerformance {
  readonly stepId: string
  readonly assigned: number
  readonly approved: number
  readonly rejected: number
  readonly approvalRate?: number
  readonly waitingTime?: Durations
  readonly workingTime?: Durations
  readonly estimatedMinutes: number
  readonly overrunMinutes?: number
  readonly criticalPathShare?: number
}

const msPerMinute = 60_000

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
    const completionTime = this.completion.read()
    return {
      total: this.#running + ended,
      running: this.#running,
      approved: this.#approved,
      rejected: this.#rejected,
      ...(ended > 0 && { successRate: this.#approved / ended }),
      ...(completionTime && { completionTime }),
    }
  }

  steps(): StepPerformance[] {
    return this.workflow.steps.map(({ step_id: stepId, estimated_duration: estimatedMinutes }) => {
      const { assigned, approved, rejected, critical, waiting, working } = this.step(stepId)
      const decided = approved + rejected
      const waitingTime = waiting.read()
      const workingTime = working.read()
      const total = this.completion.totalMs
      return {
        stepId,
        assigned,
        approved,
        rejected,
        estimatedMinutes,
        ...(decided > 0 && { approvalRate: approved / decided }),
        ...(waitingTime && { waitingTime }),
        ...(workingTime && { workingTime, overrunMinutes: workingTime.meanMinutes - estimatedMinutes }),
        ...(total > 0 && { criticalPathShare: critical.totalMs / total }),
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
