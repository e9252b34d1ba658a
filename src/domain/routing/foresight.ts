import type { Desk } from './history.ts'

/** An approver as a server in a queueing model. */
export interface Worker {
  /** Mean work time divided by the estimate. */
  readonly ratio: number
  /** Mean square of that time over its squared mean; 1 if all work takes the same time. */
  readonly tail: number
}

const msPerMinute = 60_000
/** The highest utilisation planned for an approver: near 1, a little more work would seem to delay all other work forever. */
const mostShare = 0.9
const halvings = 24

/** Returns the recent share of time in which an approver had work, starting from a prior idle period of `restMinutes`. */
export function busyShareOf(
  { workMs, restMs, inHand, lastDecisionAt, decisions }: Desk,
  now: number,
  restMinutes: number,
) {
  const work = workMs + (inHand ? now - inHand.since : 0)
  const rest = restMs + restMinutes * msPerMinute + (inHand || decisions === 0 ? 0 : now - lastDecisionAt)
  return work / (work + rest)
}

/**
 * Returns the utilisation of each worker that meets a demand (minutes of estimates arriving per minute) with the least
 * mean delay: fast workers are busier, and slow ones idle until they are needed. This is the best random split over
 * single-server queues (Pollaczek-Khinchine), found by bisecting the price of one more minute of work.
 */
export function bestShares(workers: readonly Worker[], demand: number): number[] {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  let most = 0
  for (const worker of workers) {
    low = Math.min(low, worker.ratio)
    high = Math.max(high, priceAt(mostShare, worker))
    most += mostShare / worker.ratio
  }
  if (demand >= most) return workers.map(() => mostShare)
  for (let step = 0; step < halvings; step += 1) {
    // The geometric mean, since prices may span many orders of magnitude.
    const price = Math.sqrt(low * high)
    let met = 0
    for (const worker of workers) met += shareAt(price, worker) / worker.ratio
    if (met < demand) low = price
    else high = price
  }
  return workers.map((worker) => shareAt(high, worker))
}

/** Returns the cost of one more minute of work at a given utilisation: the derivative of the mean number in the queue. */
function priceAt(share: number, { ratio, tail }: Worker): number {
  return ratio * (1 + (tail / 2) * (1 / (1 - share) ** 2 - 1))
}

function shareAt(price: number, { ratio, tail }: Worker): number {
  return price > ratio ? Math.min(1 - 1 / Math.sqrt(1 + (2 * (price / ratio - 1)) / tail), mostShare) : 0
}

/**
 * Returns the expected minutes to the decision plus the delay caused to later work, if `work` minutes join a queue behind
 * `wait` minutes and its utilisation stays at `share` (Hyytiä, Penttinen and Aalto, 2012).
 */
export function costOf(wait: number, work: number, share: number, tail: number): number {
  return wait + work + (share / (1 - share)) * (wait + (work * tail) / 2)
}
