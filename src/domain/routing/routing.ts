import { type Candidate, mostCandidates, type Priority, type Route } from '../approval/route.ts'
import type { Approver, Step } from '../approval/workflow.ts'
import { bestShares, busyShareOf, costOf, type Worker } from './foresight.ts'
import type { Desk } from './history.ts'
import { meanRatio, observeInHand } from './pace.ts'

/** The input of a routing decision. `now` is in milliseconds since 1970. */
export interface RoutingQuestion {
  readonly executionId: string
  readonly step: Step
  readonly priority: Priority
  readonly now: number
  readonly desk: (email: string) => Desk
}

/** Chooses an approver of a step. */
export type Router = (question: RoutingQuestion) => Route

const msPerMinute = 60_000
/** The priorities that are served before a step of a priority: the same and all higher ones. */
const goesBefore: Record<Priority, readonly Priority[]> = {
  high: ['high'],
  normal: ['high', 'normal'],
  low: ['high', 'normal', 'low'],
}
/** An approver is assumed to be this number of standard deviations faster than believed. Uncertain approvers gain most. */
const optimism = 1
/** Work in progress is expected to need at least this share of the mean, however long it has taken so far. */
const leastRest = 0.4

/**
 * Chooses the approver with the lowest cost in time: the expected time to the decision plus the delay of later work.
 * Uncertain approvers get the benefit of the doubt. With high priority only the step's own expected time counts. Ties go
 * to the first in the step's order.
 */
export function route({ step, priority, now, desk }: RoutingQuestion): Route {
  const prospects = step.approvers.map((approver) => prospectOf(approver, step, priority, now, desk(approver.email)))
  const costs = costsOf(prospects)
  const soonest = indexOfLeast(prospects, ({ minutes }) => minutes)
  const chosen =
    priority === 'high' ? soonest : indexOfLeast(prospects, ({ hope }, index) => (costs[index] ?? 0) * hope)
  const assignee = step.approvers[chosen]
  const candidate = (index: number) => prospects[index] && candidateOf(prospects[index], step)
  const [ours, theirs] = [candidate(chosen), candidate(soonest)]
  if (!assignee || !ours || !theirs) throw new TypeError(`Step '${step.step_id}' has no approvers`)
  const isTrial = (costs[chosen] ?? 0) > (costs[soonest] ?? 0)
  return {
    assignee,
    reason: routingReason({ chosen: ours, soonest: theirs, priority, isOnly: prospects.length === 1, isTrial }),
    candidates: shortlist(prospects, chosen).map((prospect) => candidateOf(prospect, step)),
  }
}

/** Returns the chosen prospect and the soonest others, in the step's order. */
function shortlist(prospects: readonly Prospect[], chosen: number): readonly Prospect[] {
  if (prospects.length <= mostCandidates) return prospects
  const others = prospects.filter((_, index) => index !== chosen)
  const soonest = new Set(others.toSorted((a, b) => a.minutes - b.minutes).slice(0, mostCandidates - 1))
  return prospects.filter((prospect, index) => index === chosen || soonest.has(prospect))
}

function candidateOf({ approver, minutes, desk, overdueMinutes }: Prospect, step: Step): Candidate {
  return {
    email: approver.email,
    expectedMinutes: minutes,
    samples: desk.decisions,
    openAssignments: desk.open,
    reason: trackRecord(desk, step, overdueMinutes),
  }
}

interface Prospect extends Worker {
  readonly approver: Approver
  readonly desk: Desk
  /** Expected minutes from now to the decision. */
  readonly minutes: number
  /** Minutes that overdue work has been in progress; undefined if none is overdue. */
  readonly overdueMinutes: number | undefined
  /** Expected minutes until work on the step starts, and from then to the decision. */
  readonly wait: number
  readonly work: number
  readonly busyShare: number
  /** The factor by which an optimistic pace shortens the cost; smaller for uncertain approvers. */
  readonly hope: number
}

/** Returns the total cost of each choice in minutes, given the recent demand on all approvers together. */
function costsOf(prospects: readonly Prospect[]): number[] {
  const demand = prospects.reduce((sum, { busyShare, ratio }) => sum + busyShare / ratio, 0)
  const shares = bestShares(prospects, demand)
  return prospects.map(({ wait, work, tail }, index) => costOf(wait, work, shares[index] ?? 0, tail))
}

function prospectOf(approver: Approver, step: Step, priority: Priority, now: number, desk: Desk): Prospect {
  const { openWork, inHand } = desk
  const inHandEstimate = inHand ? openWork[inHand.priority].estimatedMinutes / openWork[inHand.priority].count : 0
  const elapsed = inHand ? (now - inHand.since) / msPerMinute : 0
  const pace = inHand ? observeInHand(desk.pace, elapsed / inHandEstimate) : desk.pace
  const ratio = meanRatio(pace)
  const rest = Math.max(ratio * inHandEstimate - elapsed, leastRest * ratio * inHandEstimate)
  let waiting = 0
  for (const other of goesBefore[priority]) {
    waiting += openWork[other].estimatedMinutes - (inHand?.priority === other ? inHandEstimate : 0)
  }
  const wait = rest + waiting * ratio
  const work = step.estimated_duration * ratio
  return {
    approver,
    desk,
    minutes: wait + work,
    overdueMinutes: pace === desk.pace ? undefined : elapsed,
    ratio,
    tail: Math.exp(pace.noise),
    wait,
    work,
    busyShare: busyShareOf(desk, now, step.estimated_duration),
    hope: Math.exp(-optimism * Math.sqrt(pace.doubt)),
  }
}

/** Returns the index of the item with the lowest value: the first of equals, -1 for an empty list. */
function indexOfLeast<T>(items: readonly T[], measure: (item: T, index: number) => number): number {
  const values = items.map(measure)
  return values.indexOf(Math.min(...values))
}

/** From this many decisions on, the estimate hardly matters. */
const enoughDecisions = 5

/** Summarises an approver's record in one sentence. `overdueMinutes` is the time that overdue work has taken so far. */
function trackRecord({ decisions, open, pace }: Desk, step: Step, overdueMinutes: number | undefined): string {
  const overdue = overdueMinutes === undefined ? '' : `, one of them in progress for ${minutes(overdueMinutes)}`
  if (decisions === 0)
    return `No decisions yet, assuming the estimate of ${minutes(step.estimated_duration)}; ${open} open${overdue}.`
  const count = decisions === 1 ? '1 decision' : `${decisions} decisions`
  const basis = decisions < enoughDecisions ? 'with the estimate' : 'recently'
  return `${count}, ${basis} about ${minutes(step.estimated_duration * meanRatio(pace))} for this step; ${open} open${overdue}.`
}

interface Choice {
  readonly chosen: Candidate
  readonly soonest: Candidate
  readonly priority: Priority
  readonly isOnly: boolean
  /** True if the choice was made only to learn the approver's pace. */
  readonly isTrial: boolean
}

/** Explains in one sentence why an approver was chosen. */
function routingReason({ chosen, soonest, priority, isOnly, isTrial }: Choice): string {
  if (isOnly) return `${chosen.email} is the only approver of the step.`
  const lead = `${chosen.email} is expected to decide in ${minutes(chosen.expectedMinutes)}`
  if (priority === 'high') return `${lead}, the soonest of all, and the step is urgent.`
  if (chosen.expectedMinutes <= soonest.expectedMinutes) return `${lead}, the soonest of all.`
  if (isTrial)
    return `${lead}. ${soonest.email} would be sooner, but the current pace of ${chosen.email} is less certain and worth a try.`
  return `${lead}. ${soonest.email} would be sooner, but later work would wait longer there.`
}

function minutes(value: number): string {
  const rounded = Math.round(value)
  if (rounded === 0) return 'less than a minute'
  return rounded === 1 ? '1 minute' : `${rounded} minutes`
}
