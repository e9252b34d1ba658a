import { type Execution, type ExecutionEvent, priorityOf, stepOf } from '../approval/execution.ts'
import { mostUrgentFirst, type Priority } from '../approval/route.ts'
import type { Step } from '../approval/workflow.ts'
import type { Journaled } from '../decider.ts'
import { entrust, learn, neglect, type Pace, unknownPace } from './pace.ts'

/** Open assignments: their number, and the sum of their estimates. */
interface OpenWork {
  readonly count: number
  readonly estimatedMinutes: number
}

/** The state of one approver: the queue, the decisions so far and the estimated pace. The next event changes it in place. */
export interface Desk {
  /** Decisions so far. */
  readonly decisions: number
  /** Assignments that wait for a decision. */
  readonly open: number
  /** The same by priority; the most urgent is served first. */
  readonly openWork: Readonly<Record<Priority, OpenWork>>
  /** The work in progress, and its start in milliseconds since 1970; undefined if no assignment is open. */
  readonly inHand?: { readonly priority: Priority; readonly since: number } | undefined
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

type Mutable<T> = { -readonly [Member in keyof T]-?: T[Member] }
/** A desk that events change in place. Copying it for each event would cost more than the rest of the fold. */
type OwnDesk = Mutable<Omit<Desk, 'openWork'>> & { readonly openWork: Readonly<Record<Priority, Mutable<OpenWork>>> }

const newDesk = (): OwnDesk => ({
  decisions: 0,
  open: 0,
  openWork: {
    high: { count: 0, estimatedMinutes: 0 },
    normal: { count: 0, estimatedMinutes: 0 },
    low: { count: 0, estimatedMinutes: 0 },
  },
  inHand: undefined,
  lastDecisionAt: Number.NEGATIVE_INFINITY,
  pace: unknownPace,
  workMs: 0,
  restMs: 0,
})
const emptyDesk: Desk = newDesk()

/** The desks of a tenant's approvers, folded from events. Memory per approver is constant. */
export class History {
  readonly #desks = new Map<string, OwnDesk>()

  /** Returns the desk of an approver, an empty one for a new approver. */
  desk(email: string): Desk {
    return this.#desks.get(email) ?? emptyDesk
  }

  /** Folds an event. `execution` is the state after it. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    switch (event.type) {
      case 'StepAssigned': {
        const { email: assignee } = event.route.assignee
        const { step } = stepOf(execution, event.stepId)
        const desk = this.#ownDesk(assignee)
        changeOpen(desk, 1, { step, priority: priorityOf(execution), at: event.at })
        desk.pace = entrust(desk.pace)
        const others = step.approvers.filter(({ email }) => email !== assignee)
        for (const { email } of others) this.#passOver(email, 1 / others.length)
        break
      }
      case 'StepDecided': {
        const { email, at, takenUpAt } = event
        const { step } = stepOf(execution, event.stepId)
        const desk = this.#ownDesk(email)
        changeOpen(desk, -1, { step, priority: priorityOf(execution), at })
        desk.inHand = nextInHand(desk, at)
        desk.workMs = desk.workMs * memory + at - takenUpAt
        desk.restMs = desk.restMs * memory + idleBefore(desk, takenUpAt)
        desk.decisions += 1
        desk.lastDecisionAt = at
        if (step.estimated_duration > 0)
          desk.pace = learn(desk.pace, (at - takenUpAt) / (step.estimated_duration * msPerMinute))
        break
      }
      case 'AssignmentWithdrawn': {
        const { email, at } = event
        const { step, assignedAt = at } = stepOf(execution, event.stepId)
        const priority = priorityOf(execution)
        const desk = this.#ownDesk(email)
        // Work is served oldest first, so an assignment from before `since` was, or may have been, the one in progress.
        const wasInHand = desk.inHand?.priority === priority && assignedAt <= desk.inHand.since
        changeOpen(desk, -1, { step, priority, at })
        if (wasInHand) desk.inHand = nextInHand(desk, at)
      }
    }
  }

  #passOver(email: string, rounds: number): void {
    const desk = this.#ownDesk(email)
    // A busy approver's pace will be observed anyway, so only an idle one's becomes more uncertain.
    if (desk.open === 0) desk.pace = neglect(desk.pace, rounds)
  }

  #ownDesk(email: string): OwnDesk {
    const known = this.#desks.get(email)
    if (known) return known
    const desk = newDesk()
    this.#desks.set(email, desk)
    return desk
  }
}

/** Counts one open assignment more or less. */
function changeOpen(
  desk: OwnDesk,
  change: 1 | -1,
  { step, priority, at }: { readonly step: Step; readonly priority: Priority; readonly at: number },
): void {
  const work = desk.openWork[priority]
  work.count += change
  work.estimatedMinutes += change * step.estimated_duration
  desk.open += change
  if (!desk.inHand || desk.openWork[desk.inHand.priority].count === 0) desk.inHand = nextInHand(desk, at)
}

/** Returns the next work: an approver does one thing at a time, the most urgent first, without a break in between. */
function nextInHand({ openWork }: Desk, since: number): Desk['inHand'] {
  const priority = mostUrgentFirst.find((candidate) => openWork[candidate].count > 0)
  return priority && { priority, since }
}

function idleBefore({ decisions, lastDecisionAt }: Desk, takenUpAt: number): number {
  return decisions === 0 ? 0 : Math.max(takenUpAt - lastDecisionAt, 0)
}
