import type { Analytics } from '../analytics/analytics.ts'
import { doAtOnce, type Work } from '../work.ts'
import { type Basis, basisOf, type Recommendation, recommendationsFrom } from './recommendations.ts'

/** Recommendations rest on the figures as they were at most this share of all decisions ago. */
const staleness = 1 / 16

/**
 * Recommendations for whoever reads them often. Predicting takes milliseconds, up to some hundred, so it is not done after
 * each decision but whenever there are a sixteenth more of them. What the figures were then is kept, and the predictions are
 * made from it when somebody asks: so they follow from the events alone, never from when they were read.
 */
export class Advice {
  readonly #analytics: Analytics
  #decisions = 0
  #next = 1
  /** Whether the figures are to be kept as they are at the end of this turn. */
  #isDue = false
  #basis: Basis | undefined
  #recommendations: readonly Recommendation[] | undefined = []

  constructor(analytics: Analytics) {
    this.#analytics = analytics
  }

  /** To be called before an event is folded. */
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

  /** The same as `recommendationsFor` the analytics as they were when last looked at. */
  recommendations(): readonly Recommendation[] {
    return doAtOnce(this.recommend())
  }

  /** The same as work that can be interrupted. */
  *recommend(): Work<readonly Recommendation[]> {
    this.settle()
    this.#recommendations ??= this.#basis ? yield* recommendationsFrom(this.#basis) : []
    return this.#recommendations
  }
}
