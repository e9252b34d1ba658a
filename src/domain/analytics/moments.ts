/** Counts durations and keeps their first two moments, in constant memory. */
export class Moments {
  #count = 0
  #sum = 0
  #squares = 0

  /** Adds a duration in milliseconds. */
  add(ms: number): void {
    this.#count += 1
    this.#sum += ms
    this.#squares += ms * ms
  }

  get count(): number {
    return this.#count
  }

  /** The sum, in milliseconds. */
  get totalMs(): number {
    return this.#sum
  }

  /** The mean, in milliseconds; 0 before the first duration. */
  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count
  }

  /** The mean of the squares, in square milliseconds; 0 before the first duration. */
  get meanSquare(): number {
    return this.#count === 0 ? 0 : this.#squares / this.#count
  }

  /** The variance over the squared mean: 0 if all are equal, 1 for an exponential distribution. */
  get scv(): number {
    return this.#sum === 0 ? 0 : Math.max(0, this.meanSquare / this.meanMs ** 2 - 1)
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
