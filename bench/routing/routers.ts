import type { Priority, Route } from '../../src/domain/approval/route.ts'
import type { Approver } from '../../src/domain/approval/workflow.ts'
import { bestShares, costOf } from '../../src/domain/routing/foresight.ts'
import type { Desk } from '../../src/domain/routing/history.ts'
import { type Router, type RoutingQuestion, route } from '../../src/domain/routing/routing.ts'
import type { ApproverProfile } from '../../src/world/approvers.ts'
import { Random } from '../../src/world/random.ts'

/** Facts that a real router could only estimate. */
export interface Truth {
  /** Returns an approver's profile at a time, in milliseconds since 0. */
  readonly profileOf: (email: string, now: number) => ApproverProfile
  /** Estimated minutes of work that arrive per minute, over all steps. */
  readonly demand: number
}

/** Creates a router for one run. */
type MakeRouter = (seed: number, truth: Truth) => Router

const msPerMinute = 60_000

export const routerNames = ['smart', 'oracle', 'greedy oracle', 'least-loaded', 'round-robin', 'random'] as const
export type RouterName = (typeof routerNames)[number]

/** The routers under comparison. */
export const routers: Record<RouterName, MakeRouter> = {
  smart: () => route,
  /**
   * Knows the true pace of every approver and how much work arrives, but no single service time in advance. Chooses the
   * earliest expected finish (the rest of the work in progress, given its elapsed time; the waiting work; this step), plus
   * the delay of later work under the best split. This is one step of policy iteration, which is near the optimum for such
   * queues.
   */
  oracle:
    (_, { profileOf, demand }) =>
    (question) => {
      const profiles = question.step.approvers.map(({ email }) => profileOf(email, question.now))
      const workers = profiles.map((profile) => ({ ratio: meanOf(profile), tail: Math.exp(profile.spread ** 2) }))
      const shares = bestShares(workers, demand)
      return leastBy(question, (approver, index) => {
        const { wait, work } = trueTimes(question, approver.email, profileOf)
        return costOf(wait, work, shares[index] ?? 0, workers[index]?.tail ?? 1)
      })
    },
  /** Knows the same, but considers only the step itself: the earliest expected finish. */
  'greedy oracle':
    (_, { profileOf }) =>
    (question) =>
      leastBy(question, ({ email }) => {
        const { wait, work } = trueTimes(question, email, profileOf)
        return wait + work
      }),
  'least-loaded': () => (question) => leastBy(question, ({ email }) => question.desk(email).open),
  'round-robin': () => {
    let turn = 0
    return ({ step: { approvers } }) => routeTo(approvers[turn++ % approvers.length])
  },
  random: (seed) => {
    const random = new Random(`${seed}/router`)
    return ({ step: { approvers } }) => routeTo(approvers[Math.floor(random.draw() * approvers.length)])
  },
}

/** Chooses the approver with the lowest cost; the first if several have it. */
function leastBy({ step }: RoutingQuestion, costOf: (approver: Approver, index: number) => number): Route {
  const costs = step.approvers.map(costOf)
  return routeTo(step.approvers[costs.indexOf(Math.min(...costs))])
}

function routeTo(assignee: Approver | undefined): Route {
  if (!assignee) throw new TypeError('A step has no approvers. Give it at least one.')
  return { assignee, reason: '', candidates: [] }
}

function trueTimes({ step, now, desk }: RoutingQuestion, email: string, truth: Truth['profileOf']) {
  const { openWork, inHand } = desk(email)
  const open = Object.values(openWork).reduce((sum, { estimatedMinutes }) => sum + estimatedMinutes, 0)
  const inHandMinutes = inHand ? meanEstimate(openWork, inHand.priority) : 0
  const rest = inHand ? meanRest(truth(email, inHand.since), inHandMinutes, (now - inHand.since) / msPerMinute) : 0
  const mean = meanOf(truth(email, now))
  return { wait: rest + (open - inHandMinutes) * mean, work: step.estimated_duration * mean }
}

function meanEstimate(openWork: Desk['openWork'], priority: Priority): number {
  return openWork[priority].estimatedMinutes / openWork[priority].count
}

function meanOf({ pace, spread }: ApproverProfile): number {
  return pace * Math.exp(spread ** 2 / 2)
}

/** Computes the expected remaining minutes of log-normal work that has taken `elapsed` minutes. */
function meanRest({ pace, spread }: ApproverProfile, estimatedMinutes: number, elapsed: number): number {
  const median = pace * estimatedMinutes
  if (elapsed <= 0) return median * Math.exp(spread ** 2 / 2)
  const z = Math.log(elapsed / median) / spread
  const survival = normalTail(z)
  // Far out in the tail, both terms are 0 in floating point, so the quotient needs an approximation.
  if (survival < 1e-12) return (elapsed * spread) / Math.max(z, 1)
  return (median * Math.exp(spread ** 2 / 2) * normalTail(z - spread)) / survival - elapsed
}

/** Computes the probability that a standard normal draw exceeds `z` (Abramowitz and Stegun 26.2.17, within 1e-7). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}
