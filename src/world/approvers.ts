import { type Decision, type Execution, type ExecutionEvent, stepOf } from '../domain/approval/execution.ts'
import type { Priority } from '../domain/approval/route.ts'
import type { Journaled } from '../domain/decider.ts'
import type { Clock } from './clock.ts'
import { Random } from './random.ts'
import { doAtOnce, type Work } from './slices.ts'
import { type About, type Assignment, isSame, Waiting } from './waiting.ts'

/** Who decides: simulated approvers in their own time, the same at once and always approving, or nobody. */
export const approverModes = ['auto', 'instant', 'manual'] as const
export type ApproverMode = (typeof approverModes)[number]

/** How an approver works. */
export interface ApproverProfile {
  /** Median time for a step, as a multiple of its estimate. */
  readonly pace: number
  /** Standard deviation of the logarithm of that time. */
  readonly spread: number
  /** Share of steps that are approved, from 0 to 1. */
  readonly approvalRate: number
}

/** How an approver works at a time, in milliseconds since 1970. */
export type ProfileOf = (email: string, now: number) => ApproverProfile | undefined

export interface SimulatedDecision {
  readonly executionId: string
  readonly stepId: string
  readonly email: string
  readonly decision: Decision
  readonly takenUpAt: number
}

/** What lies with one approver: the work in hand, and what waits. */
interface Desk {
  readonly email: string
  readonly random: Random
  readonly profile: ApproverProfile
  readonly waiting: Waiting
  inHand?: { readonly assignment: Assignment; readonly putDown: () => void }
}

export interface ApproversOptions {
  readonly mode: ApproverMode
  readonly clock: Clock
  readonly seed: string
  readonly profile?: ProfileOf
  readonly decide: (decision: SimulatedDecision) => Work
}

const msPerMinute = 60_000

/**
 * Simulated approvers (gap.approvals). Each has one desk and does one thing at a time, the most urgent first; how fast,
 * and how often it approves, follows from the seed and the address alone, so one approver's luck never moves another's.
 */
export class Approvers {
  readonly #options: ApproversOptions
  readonly #desks = new Map<string, Desk>()
  #mode: ApproverMode

  constructor(options: ApproversOptions) {
    this.#options = options
    this.#mode = options.mode
  }

  /** Changes who decides; what is on the desks stays there. */
  *changeMode(mode: ApproverMode): Work {
    if (mode === this.#mode) return
    this.#mode = mode
    for (const desk of this.#desks.values()) {
      const { inHand } = desk
      if (inHand) {
        inHand.putDown()
        delete desk.inHand
        desk.waiting.putBack(inHand.assignment)
      }
      this.#takeUp(desk)
      yield
    }
  }

  /** The same without interruption. */
  setMode(mode: ApproverMode): void {
    doAtOnce(this.changeMode(mode))
  }

  /** Takes notice of what happened to an assignment. */
  notice(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (event.type === 'StepAssigned') {
      const { executionId, stepId, route } = event
      const { estimatedMinutes } = stepOf(execution, stepId).step
      const desk = this.#desk(route.assignee.email)
      desk.waiting.add({ executionId, stepId, priority: execution.priority, estimatedMinutes })
      this.#takeUp(desk)
    } else if (event.type === 'StepDecided' || event.type === 'AssignmentWithdrawn') {
      this.#clear(this.#desk(event.email), event, execution.priority)
    }
  }

  #clear(desk: Desk, decided: About, priority: Priority): void {
    desk.waiting.remove(decided, priority)
    if (desk.inHand && isSame(desk.inHand.assignment, decided)) {
      desk.inHand.putDown()
      delete desk.inHand
    }
    this.#takeUp(desk)
  }

  #takeUp(desk: Desk): void {
    if (this.#mode === 'manual' || desk.inHand) return
    const assignment = desk.waiting.take()
    if (!assignment) return
    const { clock } = this.#options
    const takenUpAt = clock.now()
    const { ms, decision } = this.#mode === 'instant' ? atOnce : this.#work(desk, assignment, takenUpAt)
    const putDown = clock.at(takenUpAt + ms, () => {
      const { executionId, stepId } = assignment
      return this.#options.decide({ executionId, stepId, email: desk.email, decision, takenUpAt })
    })
    desk.inHand = { assignment, putDown }
  }

  /** How long the work takes, and what comes of it. */
  #work(desk: Desk, { estimatedMinutes }: Assignment, now: number): { ms: number; decision: Decision } {
    const { pace, spread, approvalRate } = this.#options.profile?.(desk.email, now) ?? desk.profile
    const minutes = estimatedMinutes * pace * Math.exp(spread * desk.random.normal())
    const decision = desk.random.draw() < approvalRate ? 'approved' : 'rejected'
    return { ms: Math.round(minutes * msPerMinute), decision }
  }

  #desk(email: string): Desk {
    const known = this.#desks.get(email)
    if (known) return known
    const random = new Random(`${this.#options.seed}/approver/${email}`)
    const profile = { pace: Math.exp(0.5 * random.normal()), spread: 0.4, approvalRate: 0.8 + 0.2 * random.draw() }
    const desk: Desk = { email, random, profile, waiting: new Waiting() }
    this.#desks.set(email, desk)
    return desk
  }
}

const atOnce = { ms: 0, decision: 'approved' } as const
