/** A distribution of durations in minutes. */
export interface Durations {
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

const msPerMinute = 60_000
/** Quantiles are within this fraction of the true value. */
const accuracy = 0.01
const base = (1 + accuracy) / (1 - accuracy)
const logBase = Math.log(base)

/**
 * Collects durations in bounded memory. The mean is exact; quantiles come from a histogram whose buckets grow by a
 * constant factor, so each is within 1 % of the true value, whatever the distribution (Masson et al., DDSketch, 2019).
 */
export class DurationSketch {
  #count = 0
  #sum = 0
  #instant = 0
  readonly #buckets = new Map<number, number>()

  get count(): number {
    return this.#count
  }

  /** The sum of all durations, in milliseconds. */
  get totalMs(): number {
    return this.#sum
  }

  add(ms: number): void {
    this.#count += 1
    this.#sum += ms
    if (ms < 1) {
      this.#instant += 1
      return
    }
    const bucket = Math.ceil(Math.log(ms) / logBase)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
  }

  /** The distribution; nothing before the first duration. */
  read(): Durations | undefined {
    if (this.#count === 0) return undefined
    const sorted = [...this.#buckets].sort(([a], [b]) => a - b)
    const quantile = (q: number) => this.#quantile(sorted, q)
    return { mean: this.#sum / this.#count / msPerMinute, p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99) }
  }

  #quantile(sorted: readonly (readonly [number, number])[], q: number): number {
    let rank = Math.ceil(q * this.#count) - this.#instant
    if (rank <= 0) return 0
    for (const [bucket, count] of sorted) {
      rank -= count
      if (rank <= 0) return (2 * base ** bucket) / (base + 1) / msPerMinute
    }
    return 0
  }
}
