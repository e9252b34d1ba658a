/** A mean with half the width of its 95 % confidence interval. */
export interface Interval {
  readonly mean: number
  readonly plusMinus: number
}

/** 97.5 % quantiles of Student's t distribution, by degrees of freedom. */
const student: Record<number, number> = { 1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 19: 2.093 }

/** Computes the confidence interval of the mean of independent runs. */
export function intervalOf(values: readonly number[]): Interval {
  const degrees = values.length - 1
  const mean = meanOf(values)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / degrees
  const t = student[degrees]
  if (!t) throw new RangeError(`No quantile for ${values.length} runs. Use 2, 3, 5, 10 or 20 runs.`)
  return { mean, plusMinus: t * Math.sqrt(variance / values.length) }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Computes the exact quantile: the least value that a share of at least `q` of the values does not exceed. */
export function quantileOf(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(q * sorted.length) - 1] ?? Number.NaN
}
