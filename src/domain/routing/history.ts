import { type Execution, type ExecutionEvent, stepOf } from '../approval/execution.ts'
import type { Priority } from '../approval/route.ts'
import type { Journaled } from '../decider.ts'
import { entrust, learn, neglect, type Pace, unknownPace } from './pace.ts'

/** Assignments that wait for a decision: how many, and the sum of their estimates. */
interface OpenWork {
  readonly count: number
  readonly estimatedMinutes: number
}

/** What is known of an approver. */
export interface Desk {
  /** Decisions so far. */
  readonly decisions: number
  /** Assignments that wait for a decision. */
  readonly open: number
  /** The same by priority; the most urgent is taken up first. */
  readonly openWork: Readonly<Record<Priority, OpenWork>>
  /** What the approver works at, and since when, in milliseconds since 1970; absent while nothing is open. */
  readonly inHand?: { readonly priority: Priority; readonly since: number }
  /** Time of the last decision, in milliseconds since 1970. */
  readonly lastDecisionAt: number
  readonly pace: Pace
  /** Milliseconds at work and at rest up to the last decision; what is long ago counts less. */
  readonly workMs: number
  readonly restMs: number
}

/** What a decision leaves of the times before it: the last ten or so tell how busy an approver is. */
const memory = 0.9
const msPerMinute = 60_000
const mostUrgentFirst = ['high', 'normal', 'low'] as const
const nothing: OpenWork = { count: 0, estimatedMinutes: 0 }
const emptyDesk: Desk = {
  decisions: 0,
  open: 0,
  openWork: { high: nothing, normal: nothing, low: nothing },
  lastDecisionAt: Number.NEGATIVE_INFINITY,
  pace: unknownPace,
  workMs: 0,
  restMs: 0,
}

/** What is known of every approver of a tenant, folded from events: as much memory for each after any number of them. */
export class History {
  readonly #desks = new Map<string, Desk>()

  /** The desk of an approver; an empty one for a newcomer. */
  desk(email: string): Desk {
    return this.#desks.get(email) ?? emptyDesk
  }

  /** Folds an event, with the execution as it is after it. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    switch (event.type) {
      case 'StepAssigned': {
        const { assignee } = event.route
        const desk = this.#withOpen(assignee.email, event, execution, 1)
        this.#desks.set(assignee.email, { ...desk, pace: entrust(desk.pace) })
        const { approvers } = stepOf(execution, event.stepId).step
        const others = approvers.filter(({ email }) => email !== assignee.email)
        for (const { email } of others) this.#passOver(email, 1 / others.length)
        break
      }
      case 'StepDecided': {
        const { inHand: _, ...desk } = this.#withOpen(event.email, event, execution, -1)
        const { estimatedMinutes } = stepOf(execution, event.stepId).step
        this.#desks.set(event.email, {
          ...desk,
          ...takingUp(desk.openWork, event.at),
          workMs: desk.workMs * memory + event.at - event.takenUpAt,
          restMs: desk.restMs * memory + restBefore(desk, event.takenUpAt),
          decisions: desk.decisions + 1,
          lastDecisionAt: event.at,
          pace: learn(desk.pace, (event.at - event.takenUpAt) / (estimatedMinutes * msPerMinute)),
        })
        break
      }
      case 'AssignmentWithdrawn': {
        const { inHand } = this.desk(event.email)
        const desk = this.#withOpen(event.email, event, execution, -1)
        const { assignedAt = event.at } = stepOf(execution, event.stepId)
        // The oldest is taken up first, so what lay there by then was it, or may have been.
        const wasInHand = inHand?.priority === execution.priority && assignedAt <= inHand.since
        const { inHand: _, ...others } = desk
        this.#desks.set(event.email, wasInHand ? { ...others, ...takingUp(desk.openWork, event.at) } : desk)
      }
    }
  }

  #passOver(email: string, rounds: number): void {
    const desk = this.desk(email)
    // Of whoever has work, news will come without more of it.
    if (desk.open === 0) this.#desks.set(email, { ...desk, pace: neglect(desk.pace, rounds) })
  }

  /** The desk with one more or one less assignment open. */
  #withOpen(
    email: string,
    { stepId, at }: { readonly stepId: string; readonly at: number },
    execution: Execution,
    change: 1 | -1,
  ): Desk {
    const { inHand, ...desk } = this.desk(email)
    const { priority } = execution
    const { count, estimatedMinutes } = desk.openWork[priority]
    const work: OpenWork = {
      count: count + change,
      estimatedMinutes: estimatedMinutes + change * stepOf(execution, stepId).step.estimatedMinutes,
    }
    const openWork = { ...desk.openWork, [priority]: work }
    const stillInHand = inHand && openWork[inHand.priority].count > 0
    return { ...desk, open: desk.open + change, openWork, ...(stillInHand ? { inHand } : takingUp(openWork, at)) }
  }
}

/** An approver does one thing at a time, the most urgent first, and takes it up as soon as the last is done. */
function takingUp(openWork: Desk['openWork'], since: number): Pick<Desk, 'inHand'> {
  const priority = mostUrgentFirst.find((candidate) => openWork[candidate].count > 0)
  return priority ? { inHand: { priority, since } } : {}
}

function restBefore({ decisions, lastDecisionAt }: Desk, takenUpAt: number): number {
  return decisions === 0 ? 0 : Math.max(takenUpAt - lastDecisionAt, 0)
}
