import type { Analytics } from '../analytics/analytics.ts'
import type { Work } from '../work.ts'
import { type Basis, basisOf, type Recommendation, recommendationsFrom } from './recommendations.ts'

/** Recommendations are computed again each time the number of decisions has grown by this share. */
const staleness = 1 / 16

/**
 * Caches recommendations. A prediction takes up to some hundred milliseconds, so it is not repeated after each decision
 * but each time there are a sixteenth more of them. The figures at that point are kept, and predictions are computed from
 * them on demand: so the result depends on the events alone, never on when it was read.
 */
export class Advice {
  readonly #analytics: Analytics
  #decisions = 0
  #next = 1
  /** True if the figures have to be captured before the next event. */
  #isDue = false
  #basis: Basis | undefined
  #recommendations: readonly Recommendation[] | undefined = []

  constructor(analytics: Analytics) {
    this.#analytics = analytics
  }

  /** Captures the figures if that is due. Call it before each event is folded. */
  settle(): void {
    if (!this.#isDue) return
    this.#isDue = false
    this.#basis = basisOf(this.#analytics)
    this.#recommendations = undefined
  }

  /** Counts a decision. */
  count(): void {
    this.#decisions += 1
    if (this.#decisions < this.#next) return
    this.#isDue = true
    this.#next = Math.ceil(this.#decisions * (1 + staleness))
  }

  /** Returns what `recommendationsFrom` returns for the figures as last captured. */
  *recommend(): Work<readonly Recommendation[]> {
    this.settle()
    this.#recommendations ??= this.#basis ? yield* recommendationsFrom(this.#basis) : []
    return this.#recommendations
  }
}
