import { type Execution, type ExecutionEvent, stepOf } from '../approval/execution.ts'
import type { Priority } from '../approval/route.ts'
import type { Step } from '../approval/workflow.ts'
import type { Recorded } from '../decider.ts'
import { entrust, learn, neglect, type Pace, unknownPace } from './pace.ts'

/** Assignments that wait for a decision: how many, and the sum of their estimates. */
interface OpenWork {
  readonly count: number
  readonly estimatedMinutes: number
}

/** What is known of an approver now; it changes with the next event. */
export interface Desk {
  /** Decisions so far. */
  readonly decisions: number
  /** Assignments that wait for a decision. */
  readonly open: number
  /** The same by priority; the most urgent is taken up first. */
  readonly openWork: Readonly<Record<Priority, OpenWork>>
  /** What the approver works at, and since when, in milliseconds since 1970; undefined while nothing is open. */
  readonly inHand?: { readonly priority: Priority; readonly since: number } | undefined
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

type Mutable<T> = { -readonly [Member in keyof T]-?: T[Member] }
/** A desk that is changed in place: a copy for each event would cost more than the rest of folding it. */
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

/** What is known of every approver of a tenant, folded from events: as much memory for each after any number of them. */
export class History {
  readonly #desks = new Map<string, OwnDesk>()

  /** The desk of an approver; an empty one for a newcomer. */
  desk(email: string): Desk {
    return this.#desks.get(email) ?? emptyDesk
  }

  /** Folds an event, with the execution as it is after it. */
  apply(event: Recorded<ExecutionEvent>, execution: Execution): void {
    switch (event.type) {
      case 'StepAssigned': {
        const { email: assignee } = event.route.assignee
        const { step } = stepOf(execution, event.stepId)
        const desk = this.#ownDesk(assignee)
        changeOpen(desk, 1, { step, priority: execution.priority, at: event.at })
        desk.pace = entrust(desk.pace)
        const others = step.approvers.filter(({ email }) => email !== assignee)
        for (const { email } of others) this.#passOver(email, 1 / others.length)
        break
      }
      case 'StepDecided': {
        const { email, at, takenUpAt } = event
        const { step } = stepOf(execution, event.stepId)
        const desk = this.#ownDesk(email)
        changeOpen(desk, -1, { step, priority: execution.priority, at })
        desk.inHand = nextInHand(desk, at)
        desk.workMs = desk.workMs * memory + at - takenUpAt
        desk.restMs = desk.restMs * memory + restBefore(desk, takenUpAt)
        desk.decisions += 1
        desk.lastDecisionAt = at
        desk.pace = learn(desk.pace, (at - takenUpAt) / (step.estimatedMinutes * msPerMinute))
        break
      }
      case 'AssignmentWithdrawn': {
        const { email, at } = event
        const { step, assignedAt = at } = stepOf(execution, event.stepId)
        const { priority } = execution
        const desk = this.#ownDesk(email)
        // The oldest is taken up first, so what lay there by then was it, or may have been.
        const wasInHand = desk.inHand?.priority === priority && assignedAt <= desk.inHand.since
        changeOpen(desk, -1, { step, priority, at })
        if (wasInHand) desk.inHand = nextInHand(desk, at)
      }
    }
  }

  #passOver(email: string, rounds: number): void {
    const desk = this.#ownDesk(email)
    // Of whoever has work, news will come without more of it.
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

/** Counts one more or one less assignment that is open. */
function changeOpen(
  desk: OwnDesk,
  change: 1 | -1,
  { step, priority, at }: { readonly step: Step; readonly priority: Priority; readonly at: number },
): void {
  const work = desk.openWork[priority]
  work.count += change
  work.estimatedMinutes += change * step.estimatedMinutes
  desk.open += change
  if (!desk.inHand || desk.openWork[desk.inHand.priority].count === 0) desk.inHand = nextInHand(desk, at)
}

/** An approver does one thing at a time, the most urgent first, and takes it up as soon as the last is done. */
function nextInHand({ openWork }: Desk, since: number): Desk['inHand'] {
  const priority = mostUrgentFirst.find((candidate) => openWork[candidate].count > 0)
  return priority && { priority, since }
}

function restBefore({ decisions, lastDecisionAt }: Desk, takenUpAt: number): number {
  return decisions === 0 ? 0 : Math.max(takenUpAt - lastDecisionAt, 0)
}
