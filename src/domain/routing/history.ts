import { type Execution, type ExecutionEvent, stepOf } from '../approval/execution.ts'
import type { Priority } from '../approval/route.ts'
import type { Journaled } from '../decider.ts'
import { entrust, learn, neglect, type Pace, unknownPace } from './pace.ts'

/** Open assignments: their number, and the sum of their estimates. */
interface OpenWork {
  readonly count: number
  readonly estimatedMinutes: number
}

/** The state of one approver: the queue, the decisions so far and the estimated pace. */
export interface Desk {
  /** Decisions so far. */
  readonly decisions: number
  /** Assignments that wait for a decision. */
  readonly open: number
  /** The same by priority; the most urgent is served first. */
  readonly openWork: Readonly<Record<Priority, OpenWork>>
  /** The work in progress, and its start in milliseconds since 1970; absent if no assignment is open. */
  readonly inHand?: { readonly priority: Priority; readonly since: number }
  /** Time of the last decision, in milliseconds since 1970. */
  readonly lastDecisionAt: number
  readonly pace: Pace
  /** Milliseconds busy and idle up to the last decision, with exponential decay. */
  readonly workMs: number
  readonly restMs: number
}

/** The decay of busy and idle times per decision: about the last ten decisions count. */
const memory = 0.9
const msPerMinute = 60_000
const mostUrgentFirst = ['high', 'normal', 'low'] as const
const noWork: OpenWork = { count: 0, estimatedMinutes: 0 }
const emptyDesk: Desk = {
  decisions: 0,
  open: 0,
  openWork: { high: noWork, normal: noWork, low: noWork },
  lastDecisionAt: Number.NEGATIVE_INFINITY,
  pace: unknownPace,
  workMs: 0,
  restMs: 0,
}

/** The desks of a tenant's approvers, folded from events. Memory per approver is constant. */
export class History {
  readonly #desks = new Map<string, Desk>()

  /** Returns the desk of an approver, an empty one for a new approver. */
  desk(email: string): Desk {
    return this.#desks.get(email) ?? emptyDesk
  }

  /** Folds an event. `execution` is the state after it. */
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
          ...takeNext(desk.openWork, event.at),
          workMs: desk.workMs * memory + event.at - event.takenUpAt,
          restMs: desk.restMs * memory + idleBefore(desk, event.takenUpAt),
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
        // Work is served oldest first, so an assignment from before `since` was, or may have been, the one in progress.
        const wasInHand = inHand?.priority === execution.priority && assignedAt <= inHand.since
        const { inHand: _, ...others } = desk
        this.#desks.set(event.email, wasInHand ? { ...others, ...takeNext(desk.openWork, event.at) } : desk)
      }
    }
  }

  #passOver(email: string, rounds: number): void {
    const desk = this.desk(email)
    // A busy approver's pace will be observed anyway, so only an idle one's becomes more uncertain.
    if (desk.open === 0) this.#desks.set(email, { ...desk, pace: neglect(desk.pace, rounds) })
  }

  /** Returns the desk with one open assignment more or less. */
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
    return { ...desk, open: desk.open + change, openWork, ...(stillInHand ? { inHand } : takeNext(openWork, at)) }
  }
}

/** Starts the next work: an approver does one thing at a time, the most urgent first, without a break in between. */
function takeNext(openWork: Desk['openWork'], since: number): Pick<Desk, 'inHand'> {
  const priority = mostUrgentFirst.find((candidate) => openWork[candidate].count > 0)
  return priority ? { inHand: { priority, since } } : {}
}

function idleBefore({ decisions, lastDecisionAt }: Desk, takenUpAt: number): number {
  return decisions === 0 ? 0 : Math.max(takenUpAt - lastDecisionAt, 0)
}
