import { sum } from '../analytics/queueing.ts'

/** A distribution, represented by equally likely values in ascending order. */
export type SampledDistribution = readonly number[]

/** The number of values that represent a distribution. */
const count = 200
/** The midpoints of as many equal parts of the range from 0 to 1. */
export const midpoints: readonly number[] = Array.from({ length: count }, (_, index) => (index + 0.5) / count)

export function meanOf(samples: SampledDistribution): number {
  return sum(samples) / samples.length
}

/** Scales samples to another mean. All-zero samples become constant. */
export function withMean(samples: SampledDistribution, mean: number): SampledDistribution {
  const old = meanOf(samples)
  return samples.map((value) => (old > 0 ? (value * mean) / old : mean))
}

/** Returns samples of the sum of two independent quantities. */
export function addSamples(a: SampledDistribution, b: SampledDistribution): SampledDistribution {
  // Steps of the golden ratio pair each part of one evenly with all parts of the other.
  return a
    .map((value, index) => value + (b[Math.floor(((index * 0.618033988749895) % 1) * b.length)] ?? 0))
    .sort((x, y) => x - y)
}

/** A step that may end a stage: its duration, and the probability of approval. */
export interface Branch {
  readonly times: SampledDistribution
  readonly approvalRate: number
}

/**
 * Returns the mean time of a stage of independent steps: until all are approved or the first is rejected, whichever comes
 * first. A stage lasts longer than t if by t there is no rejection and at least one approval is missing.
 */
export function meanStageTime(branches: readonly Branch[]): number {
  const ends = Float64Array.from(branches.flatMap(({ times }) => times)).sort()
  const passed = branches.map(() => 0)
  let total = 0
  let last = 0
  for (const end of ends) {
    if (end === last) continue
    let noRejection = 1
    let allApproved = 1
    for (const [index, { times, approvalRate }] of branches.entries()) {
      const count = countUpTo(times, last, passed[index] ?? 0)
      passed[index] = count
      noRejection *= 1 - ((1 - approvalRate) * count) / times.length
      allApproved *= (approvalRate * count) / times.length
    }
    total += (end - last) * (noRejection - allApproved)
    last = end
  }
  return total
}

function countUpTo(times: SampledDistribution, end: number, from: number): number {
  let passed = from
  while (passed < times.length && (times[passed] ?? 0) <= end) passed += 1
  return passed
}
