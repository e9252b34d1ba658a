import { expect, test } from 'vitest'
import { bottlenecksOf } from '../../src/domain/analytics/bottlenecks.ts'
import { cases } from '../support/sample.ts'
import { createScenario, run, type ScenarioStep } from '../support/simulation.ts'

const seeds = Array.from({ length: cases(20, 2) }, (_, index) => index + 1)
const estimates = [60, 30, 120, 60]

/** Returns approvers whose mean duration is the estimate times `pace`. */
function approvers(count: number, pace = 1) {
  return Array.from({ length: count }, () => ({ pace: pace / Math.exp(0.08), spread: 0.4, approvalRate: 0.97 }))
}

function findBottlenecks(steps: ScenarioStep[], meanGapMinutes: number, executions: number, seed: number) {
  return bottlenecksOf(run(createScenario(steps, meanGapMinutes, executions), seed)).map(({ stepId, cause }) => ({
    stepId,
    cause,
  }))
}

test.each([
  [30, 0],
  [30, 1],
  [30, 2],
  [30, 3],
  [300, 1],
])('after %i executions the step at triple its estimate is the bottleneck: %i', (executions, planted) => {
  const steps = estimates.map((estimatedMinutes, index) => ({
    estimatedMinutes,
    approvers: approvers(1, index === planted ? 3 : 1),
  }))
  for (const seed of seeds) {
    expect(findBottlenecks(steps, 600, executions, seed)).toEqual([{ stepId: `step-${planted + 1}`, cause: 'working' }])
  }
})

test.each([
  [30, 0],
  [30, 3],
  [300, 2],
])('after %i executions the overloaded step is the bottleneck: %i', (executions, planted) => {
  const steps = estimates.map((_, index) => ({
    estimatedMinutes: 60,
    approvers: approvers(index === planted ? 1 : 3),
  }))
  for (const seed of seeds) {
    expect(findBottlenecks(steps, 60 / 1.6, executions, seed)).toEqual([
      { stepId: `step-${planted + 1}`, cause: 'waiting' },
    ])
  }
})

test.each([30, 300])('after %i executions a balanced workflow has no bottleneck', (executions) => {
  const steps = estimates.map((estimatedMinutes) => ({ estimatedMinutes, approvers: approvers(1) }))
  for (const seed of seeds) expect(findBottlenecks(steps, 600, executions, seed)).toEqual([])
})

test('if every step takes three times its estimate, there is no bottleneck', () => {
  const steps = estimates.map((estimatedMinutes) => ({ estimatedMinutes, approvers: approvers(1, 3) }))
  expect(findBottlenecks(steps, 3000, 300, 1)).toEqual([])
})

test('the only step of a workflow is its bottleneck at three times its estimate', () => {
  const analytics = run(createScenario([{ estimatedMinutes: 60, approvers: approvers(1, 3) }], 6000, 100), 1)
  const [bottleneck] = bottlenecksOf(analytics)
  expect(bottleneck).toMatchObject({ stepId: 'step-1', criticalPathShare: 1, cause: 'working' })
  expect(bottleneck?.message).toMatch(/^'step-1' takes 100 % of the time and 3\.\d times its estimate\. Its work/)
})
