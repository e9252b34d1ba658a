/** Limits calls: as many at once as are allowed in a second, and at least one; then at an even pace. */
export class TokenBucket {
  #tokens = Number.POSITIVE_INFINITY
  #at = 0

  /** Takes a token at a time in milliseconds. Returns 0, or the milliseconds until there is one. */
  take(perSecond: number, now: number): number {
    const most = Math.max(1, perSecond)
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (this.#tokens < 1 - rounding) return ((1 - this.#tokens) / perSecond) * 1000
    this.#tokens -= 1
    return 0
  }
}

/** Waiting exactly as long as was asked must suffice, although sums of fractions are not exact. */
const rounding = 1e-6
