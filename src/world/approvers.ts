import { type Decision, type Execution, type ExecutionEvent, priorityOf, stepOf } from '../domain/approval/execution.ts'
import type { Priority } from '../domain/approval/route.ts'
import type { Journaled } from '../domain/decider.ts'
import type { Clock } from './clock.ts'
import { Random } from './random.ts'
import { doAtOnce, type Work } from './slices.ts'
import { type Assignment, type AssignmentId, isSame, Waiting } from './waiting.ts'

/** The modes of deciding steps: by simulated approvers at their own pace, approved immediately, or only by admin calls. */
export const approverModes = ['auto', 'instant', 'manual'] as const
export type ApproverMode = (typeof approverModes)[number]

/** The pace and the habits of an approver. */
export interface ApproverProfile {
  /** Median time for a step, as a multiple of its estimate. */
  readonly pace: number
  /** Standard deviation of the logarithm of that time. */
  readonly spread: number
  /** Share of steps that are approved, from 0 to 1. */
  readonly approvalRate: number
}

/** The same pace for all approvers, in milliseconds. */
export interface StepPace {
  /** The time until the first steps of an execution are taken up. */
  readonly pickUpMs: number
  /** The time from when a step is taken up to its decision. */
  readonly stepMs: number
}

/** Returns how an approver works at a time, in milliseconds since 1970; undefined to draw it from the seed. */
export type ProfileOf = (email: string, now: number) => ApproverProfile | undefined

export interface SimulatedDecision {
  readonly executionId: string
  readonly stepId: string
  readonly email: string
  readonly decision: Decision
  readonly takenUpAt: number
}

/** The work of one approver: the assignment in progress, and those that wait. */
interface Desk {
  readonly name: string
  readonly email: string
  readonly random: Random
  readonly profile: ApproverProfile
  readonly waiting: Waiting
  current?: CurrentWork
}

/** The assignment that an approver works on. */
interface CurrentWork {
  readonly assignment: Assignment
  readonly plan: PlannedDecision
  readonly cancel: () => void
}

/** The time at which a simulated approver took up an assignment, and the time of the decision, in milliseconds since 1970. */
export interface PlannedDecision {
  readonly takenUpAt: number
  readonly dueAt: number
}

export interface ApproversOptions {
  readonly mode: ApproverMode
  readonly clock: Clock
  readonly seed: string
  readonly profile?: ProfileOf | undefined
  /** The time in which every step is approved, whatever else its approver does. @default their own pace */
  readonly pace?: StepPace | undefined
  readonly decide: (decision: SimulatedDecision) => Work
}

const msPerMinute = 60_000

/**
 * Simulated approvers (gap.approvals). Each decides one assignment at a time, the most urgent first. Its pace and approval
 * rate depend only on the seed and its address, so the draws of one approver never affect another.
 */
export class Approvers {
  readonly #options: ApproversOptions
  readonly #desks = new Map<string, Desk>()
  #mode: ApproverMode

  constructor(options: ApproversOptions) {
    this.#options = options
    this.#mode = options.mode
  }

  /** Changes the mode. All assignments stay with their approvers. */
  *changeMode(mode: ApproverMode): Work {
    if (mode === this.#mode) return
    this.#mode = mode
    const now = this.#options.clock.now()
    for (const desk of this.#desks.values()) {
      const { current } = desk
      if (current) {
        current.cancel()
        delete desk.current
        desk.waiting.putBack(current.assignment)
      }
      this.#takeUp(desk, now)
      yield
    }
  }

  /** Changes the mode without interruption. */
  setMode(mode: ApproverMode): void {
    doAtOnce(this.changeMode(mode))
  }

  /** Returns the plan for an assignment, if its approver works on it now. */
  planOf(email: string, id: AssignmentId): PlannedDecision | undefined {
    const current = this.#desks.get(this.#nameOf(email, id))?.current
    return current && isSame(current.assignment, id) ? current.plan : undefined
  }

  /** Updates the approvers after an event. They plan from its time on, so a replay at that time makes the same plans. */
  notice(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (event.type === 'StepAssigned') {
      const { executionId, stepId, route } = event
      const { step } = stepOf(execution, stepId)
      const isFirst = execution.stages[0]?.some((one) => one.step === step)
      const desk = this.#desk(route.assignee.email, this.#nameOf(route.assignee.email, event))
      desk.waiting.add({
        executionId,
        stepId,
        priority: priorityOf(execution),
        estimatedMinutes: step.estimated_duration,
        pickUpMs: isFirst ? this.#options.pace?.pickUpMs : undefined,
      })
      this.#takeUp(desk, event.at)
    } else if (event.type === 'StepDecided' || event.type === 'AssignmentWithdrawn') {
      const desk = this.#desk(event.email, this.#nameOf(event.email, event))
      this.#clear(desk, event, priorityOf(execution))
      if (desk.name !== desk.email) this.#desks.delete(desk.name)
    }
  }

  #clear(desk: Desk, decided: AssignmentId & { readonly at: number }, priority: Priority): void {
    desk.waiting.remove(decided, priority)
    if (desk.current && isSame(desk.current.assignment, decided)) {
      desk.current.cancel()
      delete desk.current
    }
    this.#takeUp(desk, decided.at)
  }

  #takeUp(desk: Desk, now: number): void {
    if (this.#mode === 'manual' || desk.current) return
    const assignment = desk.waiting.take()
    if (!assignment) return
    const takenUpAt = this.#mode === 'instant' ? now : now + (assignment.pickUpMs ?? 0)
    const { ms, decision } = this.#mode === 'instant' ? instantWork : this.#drawWork(desk, assignment, takenUpAt)
    this.#plan(desk, assignment, { takenUpAt, dueAt: takenUpAt + ms }, decision)
  }

  #plan(desk: Desk, assignment: Assignment, plan: PlannedDecision, decision: Decision): void {
    const cancel = this.#options.clock.at(plan.dueAt, () => {
      const { executionId, stepId } = assignment
      return this.#options.decide({ executionId, stepId, email: desk.email, decision, takenUpAt: plan.takenUpAt })
    })
    desk.current = { assignment, plan, cancel }
  }

  /** Draws the duration of the work and the decision. */
  #drawWork(desk: Desk, { estimatedMinutes }: Assignment, now: number): { ms: number; decision: Decision } {
    const { pace: fixed } = this.#options
    if (fixed) return { ms: fixed.stepMs, decision: 'approved' }
    const { pace, spread, approvalRate } = this.#options.profile?.(desk.email, now) ?? desk.profile
    const minutes = estimatedMinutes * pace * Math.exp(spread * desk.random.normal())
    const decision = desk.random.draw() < approvalRate ? 'approved' : 'rejected'
    return { ms: Math.round(minutes * msPerMinute), decision }
  }

  /** Returns the name of the desk for an assignment. With `pace`, each assignment has a desk of its own, so none waits. */
  #nameOf(email: string, { executionId, stepId }: AssignmentId): string {
    return this.#options.pace ? `${executionId}/${stepId}/${email}` : email
  }

  #desk(email: string, name = email): Desk {
    const known = this.#desks.get(name)
    if (known) return known
    const random = new Random(`${this.#options.seed}/approver/${email}`)
    const profile = { pace: Math.exp(0.5 * random.normal()), spread: 0.4, approvalRate: 0.8 + 0.2 * random.draw() }
    const desk: Desk = { name, email, random, profile, waiting: new Waiting() }
    this.#desks.set(name, desk)
    return desk
  }
}

const instantWork = { ms: 0, decision: 'approved' } as const
