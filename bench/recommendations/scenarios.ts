import type { Recommendation } from '../../src/domain/advice/recommendations.ts'
import type { ApproverProfile } from '../../src/world/approvers.ts'
import { createScenario, type Scenario } from './scenario.ts'

export interface Difficulty {
  /** Share of the time in which the approvers of the changed step are busy. */
  readonly load: number
  /** Standard deviation of the logarithm of the work. */
  readonly spread: number
}

/** For each type of recommendation, a workflow that causes it and the difficulty of the measurement. */
export const scenarios: Readonly<
  Record<Recommendation['type'], Difficulty & { readonly make: (difficulty: Difficulty) => Scenario }>
> = {
  // One approver for a step, and two for the others.
  'add-approver': {
    load: 0.85,
    spread: 0.4,
    make: ({ load, spread }) =>
      createScenario([step(60, [1, 1], spread), step(60, [1], spread), step(60, [1, 1], spread)], 60 / load, 1500),
  },
  // One of four approvers is mostly away, which is unknown before the first decision.
  'remove-approver': {
    load: 0.3,
    spread: 0.4,
    make: ({ load, spread }) =>
      createScenario([step(60, [1.1, 1.1, 1.1, 40], spread), step(60, [1, 1], spread)], 60 / (load * 3), 200),
  },
  // Two steps that need not wait for each other.
  'run-steps-in-parallel': {
    load: 0.5,
    spread: 0.4,
    make: ({ load, spread }) =>
      createScenario([step(60, [1, 1], spread), step(45, [1, 1], spread), step(30, [1, 1], spread)], 30 / load, 1500),
  },
  // A step that takes three times its estimate.
  'split-step': {
    load: 0.4,
    spread: 0.4,
    make: ({ load, spread }) =>
      createScenario(
        [step(60, [1, 1], spread), step(60, [3, 3, 3], spread), step(60, [1, 1], spread)],
        60 / load,
        1500,
      ),
  },
  // A step that takes four times its estimate.
  're-estimate-step': {
    load: 0.5,
    spread: 0.4,
    make: ({ load, spread }) =>
      createScenario(
        [step(60, [1, 1], spread), step(30, [4, 4, 4], spread), step(60, [1, 1], spread)],
        40 / load,
        1500,
      ),
  },
}

/** Creates a step whose approvers need these multiples of the estimate on average, and approve 97 %. */
function step(estimatedMinutes: number, paces: readonly number[], spread: number) {
  const approvers = paces.map(
    (pace): ApproverProfile => ({ pace: pace / Math.exp(spread ** 2 / 2), spread, approvalRate: 0.97 }),
  )
  return { estimatedMinutes, approvers }
}
