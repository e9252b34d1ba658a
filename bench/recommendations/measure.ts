import { type Recommendation, recommendationsFor } from '../../src/domain/advice/recommendations.ts'
import { apply, run } from './scenario.ts'
import { type Difficulty, scenarios } from './scenarios.ts'

/** The predicted and the actual change of the mean completion time, in minutes. */
export interface Trial {
  readonly meanMinutes: number
  readonly predicted: number
  readonly actual: number
}

/** The trials of one type of recommendation at one difficulty. Errors are shares (0 is exact). */
export interface Result extends Difficulty {
  readonly type: Recommendation['type']
  readonly seeds: number
  /** Seeds in which the recommendation was made. */
  readonly made: number
  readonly rightSign: number
  readonly meanMinutes: number
  readonly predicted: number
  readonly actual: number
  readonly error: { readonly median: number; readonly lower: number; readonly upper: number }
}

/** Re-estimating is predicted to change nothing. A smaller change than this share of the mean counts as noise. */
const noise = 0.02

/** Simulates, applies the recommendation, and simulates again. */
export function measure(type: Recommendation['type'], difficulty: Difficulty, seeds: number): Result {
  const trials = Array.from({ length: seeds }, (_, seed) => runTrial(type, difficulty, seed + 1)).flatMap(
    (it) => it ?? [],
  )
  const errors = trials.map(errorOf)
  return {
    type,
    ...difficulty,
    seeds,
    made: trials.length,
    rightSign: trials.filter(isRight).length,
    meanMinutes: quantile(
      trials.map(({ meanMinutes }) => meanMinutes),
      0.5,
    ),
    predicted: quantile(
      trials.map(({ predicted }) => predicted),
      0.5,
    ),
    actual: quantile(
      trials.map(({ actual }) => actual),
      0.5,
    ),
    error: { median: quantile(errors, 0.5), lower: quantile(errors, 0.25), upper: quantile(errors, 0.75) },
  }
}

function runTrial(type: Recommendation['type'], difficulty: Difficulty, seed: number): Trial | undefined {
  const scenario = scenarios[type].make(difficulty)
  const before = run(scenario, seed)
  const recommendation = recommendationsFor(before).find((candidate) => candidate.type === type)
  if (!recommendation) return undefined
  const after = run(apply(scenario, recommendation, before), seed)
  const meanMinutes = before.completion.meanMs / 60_000
  const actual = after.completion.meanMs / 60_000 - meanMinutes
  return { meanMinutes, predicted: recommendation.predictedChangeMinutes, actual }
}

function isRight({ meanMinutes, predicted, actual }: Trial): boolean {
  if (predicted === 0) return Math.abs(actual) <= noise * meanMinutes
  return Math.sign(predicted) === Math.sign(actual)
}

/** Computes the error relative to the actual change, or to the mean completion time if no change was predicted. */
function errorOf({ meanMinutes, predicted, actual }: Trial): number {
  return Math.abs(predicted - actual) / (predicted === 0 ? meanMinutes : Math.abs(actual))
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
