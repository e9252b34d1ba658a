/**
 * The belief about how fast an approver works: work time over the step's estimate, so that steps of any length are
 * comparable. In logarithms, since twice as fast and twice as slow are then equally far from the estimate.
 */
export interface Pace {
  /** The estimated logarithm of work time over estimate. */
  readonly log: number
  /** The variance of the error of `log`: it shrinks with each decision and grows each time the approver is passed over. */
  readonly doubt: number
  /** The variance of the logarithm from one piece of work to the next. */
  readonly noise: number
}

const firstNoise = 0.2
/** The learning rate of the noise. It is slow: noise only corrects the mean for its long tail. */
const noiseGain = 0.05
const mostNoise = 1
/** The cap on a squared surprise, in variances: a larger one is more likely a change of pace, or forgotten work. */
const mostSurprise = 9
/** The doubt added per decision, since the pace may change over time: about the last eight decisions count. */
const driftPerDecision = 0.004
/**
 * The doubt added per round of assignments to others: an approver who was twice as slow is tried again after about 50
 * rounds, one who was ten times as slow after about 500.
 */
const driftPerRound = 0.01
/** The cap on the logarithm of a ratio, for work that took almost no time or was forgotten for weeks. */
const farthest = Math.log(100)
/** Overdue work in progress is expected to take this many times the time it has taken so far. */
const overdue = 1.2

/** The belief before the first decision: work takes the estimate on average. It weighs about as much as one decision. */
export const unknownPace: Pace = { log: -firstNoise / 2, doubt: 0.25, noise: firstNoise }

/** Updates the belief after work that took `ratio` times its estimate: a Kalman filter in one dimension. */
export function learn(pace: Pace, ratio: number): Pace {
  const { log, doubt, noise } = pace
  const surprise = clamp(Math.log(ratio), farthest) - log
  const gain = doubt / (doubt + noise)
  // Scaled so that its expected value is the noise, for any doubt.
  const seen = Math.min(surprise ** 2, mostSurprise * (doubt + noise)) * (1 - gain)
  return {
    log: log + gain * surprise,
    doubt: doubt * (1 - gain) + driftPerDecision,
    noise: Math.min(noise + noiseGain * (seen - noise), mostNoise),
  }
}

/** Updates the belief after work went to another approver. `rounds` is this approver's share of a round. */
export function neglect({ log, doubt, noise }: Pace, rounds: number): Pace {
  return { log, doubt: doubt + driftPerRound * rounds, noise }
}

/** Updates the belief after an assignment: caps the doubt at a new approver's, or long neglect would attract all work. */
export function entrust({ log, doubt, noise }: Pace): Pace {
  return { log, doubt: Math.min(doubt, unknownPace.doubt), noise }
}

/** Updates the belief for work that is still in progress after `ratio` times its estimate. */
export function observeInHand(pace: Pace, ratio: number): Pace {
  return Math.log(ratio) > pace.log ? { ...learn(pace, ratio * overdue), noise: pace.noise } : pace
}

/** Returns the expected work time over its estimate. */
export function meanRatio({ log, noise }: Pace): number {
  return Math.exp(log + noise / 2)
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit)
}
