import { bestShares, busyShareOf, costOf, type Worker } from './foresight.ts'
import type { Desk } from './history.ts'
import { meanRatio, whileInHand } from './pace.ts'
import { reasonFor, recordOf } from './routing-reasons.ts'
import type { Approver, Step } from './workflow.ts'

export type Priority = 'low' | 'normal' | 'high'

/** One approver who could be chosen, and what speaks for or against. `expectedMinutes` is from now to the decision. */
export interface Candidate {
  readonly email: string
  readonly expectedMinutes: number
  readonly samples: number
  readonly openAssignments: number
  readonly reason: string
}

/** Who should approve a step, and why (interface.md section 1, smart routing). */
export interface Route {
  readonly assignee: Approver
  readonly reason: string
  readonly candidates: readonly Candidate[]
}

/** What a choice rests on. `now` is in milliseconds since 1970. */
export interface RoutingQuestion {
  readonly step: Step
  readonly priority: Priority
  readonly now: number
  readonly desk: (email: string) => Desk
}

/** Chooses an approver of a step. */
export type Router = (question: RoutingQuestion) => Route

const msPerMinute = 60_000
/** What is decided before a step of a priority: whatever is as urgent, or more. */
const goesBefore: Record<Priority, readonly Priority[]> = {
  high: ['high'],
  normal: ['high', 'normal'],
  low: ['high', 'normal', 'low'],
}
/** How many standard deviations faster than believed an approver may be; the less is known of it, the more that is. */
const optimism = 1
/** Work in hand has at least this share of the mean before it, however long it has taken. */
const leastRest = 0.4

/**
 * Chooses the approver of the step at whom it costs the least time: its own until the decision, and that of the work
 * which comes later and waits for it. Whoever little is known of has the benefit of the doubt. With high priority only
 * the step's own expected time counts. Of equals, the first in the step's order.
 */
export function route({ step, priority, now, desk }: RoutingQuestion): Route {
  const prospects = step.approvers.map((approver) => prospectOf(approver, step, priority, now, desk(approver.email)))
  const soonest = least(prospects, ({ candidate }) => candidate.expectedMinutes)
  const chosen = priority === 'high' ? soonest : farSighted(prospects)
  if (!chosen || !soonest) throw new TypeError(`Step '${step.stepId}' has no approvers`)
  const isOnly = prospects.length === 1
  return {
    assignee: chosen.approver,
    reason: reasonFor({
      chosen: chosen.candidate,
      soonest: soonest.candidate,
      priority,
      isOnly,
      isTrial: isTrial(chosen, soonest),
    }),
    candidates: prospects.map(({ candidate }) => candidate),
  }
}

interface Prospect extends Worker {
  readonly approver: Approver
  readonly candidate: Candidate
  /** Expected minutes before the step is taken up, and from then on. */
  readonly wait: number
  readonly work: number
  readonly busyShare: number
  /** Expected over believed time, if the approver is as fast as it may well be. */
  readonly hope: number
  /** Minutes that the choice costs in all; set once the others are known. */
  cost: number
}

function farSighted(prospects: readonly Prospect[]): Prospect | undefined {
  const demand = prospects.reduce((sum, { busyShare, ratio }) => sum + busyShare / ratio, 0)
  const shares = bestShares(prospects, demand)
  for (const [index, prospect] of prospects.entries()) {
    prospect.cost = costOf(prospect.wait, prospect.work, shares[index] ?? 0, prospect.tail)
  }
  return least(prospects, ({ cost, hope }) => cost * hope)
}

/** Whether only the benefit of the doubt speaks for the chosen. */
function isTrial(chosen: Prospect, soonest: Prospect): boolean {
  return chosen.cost > soonest.cost
}

function prospectOf(approver: Approver, step: Step, priority: Priority, now: number, desk: Desk): Prospect {
  const { openWork, inHand, decisions: samples, open } = desk
  const inHandEstimate = inHand ? openWork[inHand.priority].estimatedMinutes / openWork[inHand.priority].count : 0
  const elapsed = inHand ? (now - inHand.since) / msPerMinute : 0
  const pace = inHand ? whileInHand(desk.pace, elapsed / inHandEstimate) : desk.pace
  const ratio = meanRatio(pace)
  const rest = Math.max(ratio * inHandEstimate - elapsed, leastRest * ratio * inHandEstimate)
  let waiting = 0
  for (const other of goesBefore[priority]) {
    waiting += openWork[other].estimatedMinutes - (inHand?.priority === other ? inHandEstimate : 0)
  }
  const wait = rest + waiting * ratio
  const work = step.estimatedMinutes * ratio
  const reason = recordOf(desk, step, pace === desk.pace ? undefined : elapsed)
  return {
    approver,
    candidate: { email: approver.email, expectedMinutes: wait + work, samples, openAssignments: open, reason },
    ratio,
    tail: Math.exp(pace.noise),
    wait,
    work,
    busyShare: busyShareOf(desk, now, step.estimatedMinutes),
    hope: Math.exp(-optimism * Math.sqrt(pace.doubt)),
    cost: wait + work,
  }
}

function least<T>(items: readonly T[], costOf: (item: T) => number): T | undefined {
  let best: T | undefined
  let lowest = Number.POSITIVE_INFINITY
  for (const item of items) {
    const cost = costOf(item)
    if (cost < lowest) {
      best = item
      lowest = cost
    }
  }
  return best
}
