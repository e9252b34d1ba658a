import { Moments } from './moments.ts'

/** A distribution of durations in minutes. */
export interface Durations {
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

const msPerMinute = 60_000
/** The largest relative error of a quantile. */
const accuracy = 0.01
const base = (1 + accuracy) / (1 - accuracy)
const logBase = Math.log(base)

/**
 * Collects durations in bounded memory. The moments are exact; quantiles come from a histogram whose buckets grow by a
 * constant factor, so each is within 1 % of the true value for any distribution (Masson et al., DDSketch, 2019).
 */
export class DurationSketch extends Moments {
  #instant = 0
  /** The number of durations per bucket, from bucket `#first` on. A millisecond to a year takes 1300 buckets. */
  #counts: number[] = none
  #first = 0

  override add(ms: number): void {
    super.add(ms)
    if (ms < 1) {
      this.#instant += 1
      return
    }
    const bucket = Math.ceil(Math.log(ms) / logBase)
    this.#growTo(bucket)
    this.#counts[bucket - this.#first] = (this.#counts[bucket - this.#first] ?? 0) + 1
  }

  /** Returns the distribution; undefined before the first duration. */
  read(): Durations | undefined {
    if (this.count === 0) return undefined
    const [p50 = 0, p90 = 0, p99 = 0] = this.quantiles([0.5, 0.9, 0.99]).map((ms) => ms / msPerMinute)
    return { mean: this.meanMs / msPerMinute, p50, p90, p99 }
  }

  /** Returns the quantiles for these shares, in milliseconds. The shares must ascend. */
  quantiles(shares: readonly number[]): number[] {
    let passed = this.#instant
    let next = 0
    let value = 0
    return shares.map((share) => {
      // Rounding errors may put the product slightly above the whole number.
      const rank = Math.ceil(share * this.count - 1e-6)
      const before = next
      while (passed < rank && next < this.#counts.length) {
        passed += this.#counts[next] ?? 0
        next += 1
      }
      if (next > before) value = (2 * base ** (this.#first + next - 1)) / (base + 1)
      return value
    })
  }

  /** Grows the histogram to include a bucket. */
  #growTo(bucket: number): void {
    if (this.#counts === none) {
      this.#counts = []
      this.#first = bucket
    }
    while (bucket >= this.#first + this.#counts.length) this.#counts.push(0)
    const missing = this.#first - bucket
    if (missing <= 0) return
    this.#counts = [...new Array<number>(missing).fill(0), ...this.#counts]
    this.#first = bucket
  }
}

const none: number[] = []
