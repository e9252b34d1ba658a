import type { Desk } from './history.ts'

/** How an approver's time is used. */
export interface Worker {
  /** Mean time of a piece of work over its estimate. */
  readonly ratio: number
  /** Mean square of that time over its squared mean; 1 when all pieces take the same. */
  readonly tail: number
}

const msPerMinute = 60_000
/** Nobody is planned to be busier; near 1, a little more work would seem to delay all others for ever. */
const mostShare = 0.9
const halvings = 24

/** The share of lately passed time in which an approver had work; first it had none for `restMinutes`. */
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
 * The share of its time that each worker is best busy, so that a demand (minutes of estimates arriving in a minute) is
 * met with the least mean delay: the fast are busier, and the slow have nothing to do until they are needed. It is the
 * best random split over queues of one server each (Pollaczek-Khinchine), found by halving the price of one more minute.
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
    // Halved in proportion, for prices may lie many powers of ten apart.
    const price = Math.sqrt(low * high)
    let met = 0
    for (const worker of workers) met += shareAt(price, worker) / worker.ratio
    if (met < demand) low = price
    else high = price
  }
  return workers.map((worker) => shareAt(high, worker))
}

/** What one more minute costs all work together, at a share of time that is busy: the derivative of the mean number. */
function priceAt(share: number, { ratio, tail }: Worker): number {
  return ratio * (1 + (tail / 2) * (1 / (1 - share) ** 2 - 1))
}

function shareAt(price: number, { ratio, tail }: Worker): number {
  return price > ratio ? Math.min(1 - 1 / Math.sqrt(1 + (2 * (price / ratio - 1)) / tail), mostShare) : 0
}

/**
 * Expected minutes to the decision, and those by which work that comes later is delayed, when `work` minutes join a desk
 * behind `wait` minutes and the desk goes on being busy for a share of its time (Hyytiä, Penttinen and Aalto, 2012).
 */
export function costOf(wait: number, work: number, share: number, tail: number): number {
  return wait + work + (share / (1 - share)) * (wait + (work * tail) / 2)
}
