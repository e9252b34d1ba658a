/**
 * What is believed of how fast an approver works: the time of a piece of work over the step's estimate, so that steps of
 * any length tell something of each other. Kept as logarithms, in which twice as fast is as far as twice as slow.
 */
export interface Pace {
  /** The likely logarithm of work over estimate. */
  readonly log: number
  /** How far off `log` may be, as a variance: less with each decision, more with each time of being passed over. */
  readonly doubt: number
  /** How much the logarithm differs from one piece of work to the next, as a variance. */
  readonly noise: number
}

const firstNoise = 0.2
/** Noise follows slowly: it only corrects the mean for its long tail. */
const noiseGain = 0.05
const mostNoise = 1
/** A squared surprise beyond so many variances counts as this: it is rather a change of pace, or a forgotten desk. */
const mostSurprise = 9
/** What a decision adds to the doubt, for the pace may have changed since: about the last eight count. */
const driftPerDecision = 0.004
/** What a round of assignments to others adds: twice as slow is tried again after some 50 rounds, ten times after 500. */
const driftPerRound = 0.01
/** Work that took next to nothing, or forgotten for weeks, counts as this many times faster or slower. */
const farthest = Math.log(100)
/** Work in hand that is overdue is expected to take this much longer than it has taken. */
const overdue = 1.2

/** Before the first decision: the estimate on the mean, which counts about as much as one decision. */
export const unknownPace: Pace = { log: -firstNoise / 2, doubt: 0.25, noise: firstNoise }

/** The belief after a piece of work that took `ratio` times its estimate: a Kalman filter in one dimension. */
export function learn(pace: Pace, ratio: number): Pace {
  const { log, doubt, noise } = pace
  const surprise = clamp(Math.log(ratio), farthest) - log
  const gain = doubt / (doubt + noise)
  // Its expectation is the noise, whatever the doubt.
  const seen = Math.min(surprise ** 2, mostSurprise * (doubt + noise)) * (1 - gain)
  return {
    log: log + gain * surprise,
    doubt: doubt * (1 - gain) + driftPerDecision,
    noise: Math.min(noise + noiseGain * (seen - noise), mostNoise),
  }
}

/** The belief after work went to others, where `rounds` is the share of a turn for each of them. */
export function neglect(pace: Pace, rounds: number): Pace {
  return { ...pace, doubt: pace.doubt + driftPerRound * rounds }
}

/** The belief after work was given out: it is known as well as a newcomer, or a long neglect would draw all work. */
export function entrust(pace: Pace): Pace {
  return { ...pace, doubt: Math.min(pace.doubt, unknownPace.doubt) }
}

/** The belief while work that has taken `ratio` times its estimate is still in hand. */
export function whileInHand(pace: Pace, ratio: number): Pace {
  return Math.log(ratio) > pace.log ? { ...learn(pace, ratio * overdue), noise: pace.noise } : pace
}

/** Mean time of a piece of work over its estimate. */
export function meanRatio({ log, noise }: Pace): number {
  return Math.exp(log + noise / 2)
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit)
}
