import { sum } from '../analytics/queueing.ts'

/** A distribution as values that are equally likely, ascending. */
export type SampledDistribution = readonly number[]

/** How many values stand for a distribution. */
const count = 200
/** The middles of as many equal parts of the range from 0 to 1. */
export const middles: readonly number[] = Array.from({ length: count }, (_, index) => (index + 0.5) / count)

export function meanOf(samples: SampledDistribution): number {
  return sum(samples) / samples.length
}

/** The same shape with another mean. What has no shape yet gets that of a constant. */
export function withMean(samples: SampledDistribution, mean: number): SampledDistribution {
  const old = meanOf(samples)
  return samples.map((value) => (old > 0 ? (value * mean) / old : mean))
}

/** The sum of two independent ones. */
export function plus(a: SampledDistribution, b: SampledDistribution): SampledDistribution {
  // Steps of the golden ratio pair every part of one with every part of the other evenly.
  return a
    .map((value, index) => value + (b[Math.floor(((index * 0.618033988749895) % 1) * b.length)] ?? 0))
    .sort((x, y) => x - y)
}

/** A step that may end a stage: how long it takes, and the probability that it is approved. */
export interface Branch {
  readonly times: SampledDistribution
  readonly approvalRate: number
}

/**
 * Mean time of a stage whose steps are independent: until all are approved or the first is rejected, whatever comes
 * first. A stage lasts longer than t when no rejection has come by t, and not all approvals.
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
