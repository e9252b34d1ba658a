/** Counts durations and keeps their first two moments, in constant memory. */
export class Moments {
  count = 0
  /** The sum, in milliseconds. */
  totalMs = 0
  #squares = 0

  /** Adds a duration in milliseconds. */
  add(ms: number): void {
    this.count += 1
    this.totalMs += ms
    this.#squares += ms * ms
  }

  /** The mean, in milliseconds; 0 before the first duration. */
  get meanMs(): number {
    return this.count === 0 ? 0 : this.totalMs / this.count
  }

  /** The mean of the squares, in square milliseconds; 0 before the first duration. */
  get meanSquare(): number {
    return this.count === 0 ? 0 : this.#squares / this.count
  }

  /** The variance over the squared mean: 0 if all are equal, 1 for an exponential distribution. */
  get scv(): number {
    return this.totalMs === 0 ? 0 : Math.max(0, this.meanSquare / this.meanMs ** 2 - 1)
  }
}

/** Counts arrivals and keeps the moments of the gaps between them. */
export class Arrivals {
  #last: number | undefined
  readonly gaps = new Moments()

  /** Adds an arrival, in milliseconds since 1970. */
  add(at: number): void {
    if (this.#last !== undefined) this.gaps.add(at - this.#last)
    this.#last = at
  }
}

/** A distribution of durations in minutes. */
export interface Durations {
  readonly meanMinutes: number
  readonly p50Minutes: number
  readonly p90Minutes: number
  readonly p99Minutes: number
}

const msPerMinute = 60_000
/** The largest relative error of a quantile. */
const accuracy = 0.01
const base = (1 + accuracy) / (1 - accuracy)
const logBase = Math.log(base)

/** The number of durations up to which quantiles are exact. */
const mostExact = 50

/**
 * Collects durations in bounded memory. The moments are exact, and so are the quantiles of the first 50 durations. Beyond
 * that, quantiles come from a histogram whose buckets grow by a constant factor, so each is within 1 % of the true value
 * for any distribution (Masson et al., DDSketch, 2019).
 */
export class DurationSketch extends Moments {
  /** All durations, until there are too many of them. */
  #exact: number[] | undefined = none
  #instant = 0
  /** The number of durations per bucket, from bucket `#first` on. A millisecond to a year takes 1300 buckets. */
  #counts: number[] = none
  #first = 0

  override add(ms: number): void {
    super.add(ms)
    if (this.#exact) {
      if (this.#exact === none) this.#exact = []
      if (this.#exact.length < mostExact) this.#exact.push(ms)
      else this.#exact = undefined
    }
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
    return { meanMinutes: this.meanMs / msPerMinute, p50Minutes: p50, p90Minutes: p90, p99Minutes: p99 }
  }

  /** Returns the quantiles for these shares, in milliseconds. The shares must ascend. */
  quantiles(shares: readonly number[]): number[] {
    if (this.#exact) return exactQuantiles(this.#exact, shares)
    let passed = this.#instant
    let next = 0
    let value = 0
    return shares.map((share) => {
      const rank = rankOf(share, this.count)
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

/** Returns the rank, from 1, of the smallest value that a share of all does not exceed. */
function rankOf(share: number, count: number): number {
  // The product may be slightly above the whole number that it stands for.
  return Math.ceil(share * count - 1e-6)
}

function exactQuantiles(values: readonly number[], shares: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return shares.map((share) => sorted[rankOf(share, sorted.length) - 1] ?? 0)
}
