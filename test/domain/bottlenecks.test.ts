import { expect, test } from 'vitest'
import { bottlenecksOf } from '../../src/domain/analytics/bottlenecks.ts'
import { cases } from '../support/sample.ts'
import { createScenario, run, type ScenarioStep } from '../support/simulation.ts'

/** Calls a function with random seeds: fewer of them after many executions, when chance evens out. */
function withSeeds(executions: number, use: (seed: number) => void): void {
  const count = executions > 100 ? cases(5, 1) : cases(20, 2)
  for (let seed = 1; seed <= count; seed += 1) use(seed)
}

const estimates = [60, 30, 120, 60]

/** Returns approvers whose mean duration is the estimate times `pace`. */
function approvers(count: number, pace = 1) {
  return Array.from({ length: count }, () => ({ pace: pace / Math.exp(0.08), spread: 0.4, approvalRate: 0.97 }))
}

function findBottlenecks(steps: ScenarioStep[], meanGapMinutes: number, executions: number, seed: number) {
  const found = bottlenecksOf(run(createScenario(steps, meanGapMinutes, executions), seed))
  return found.map(({ stepId, cause }) => `${stepId} ${cause}`)
}

test.each([
  [30, 0],
  [30, 1],
  [30, 2],
  [30, 3],
  [300, 1],
])('after %i executions the step at triple its estimate is the bottleneck: %i', (executions, planted) => {
  const steps = estimates.map((estimatedMinutes, index) => {
    return { estimatedMinutes, approvers: approvers(1, index === planted ? 3 : 1) }
  })
  withSeeds(executions, (seed) => {
    expect(findBottlenecks(steps, 600, executions, seed)).toEqual([`step-${planted + 1} working`])
  })
})

test.each([
  [30, 0],
  [30, 3],
  [300, 2],
])('after %i executions the overloaded step is the bottleneck: %i', (executions, planted) => {
  const steps = estimates.map((_, index) => ({ estimatedMinutes: 60, approvers: approvers(index === planted ? 1 : 3) }))
  withSeeds(executions, (seed) => {
    expect(findBottlenecks(steps, 60 / 1.6, executions, seed)).toEqual([`step-${planted + 1} waiting`])
  })
})

test.each([
  [30, 600, 1],
  [300, 600, 1],
  [100, 3000, 3],
])('after %i executions a balanced workflow has no bottleneck: %i', (executions, gap, pace) => {
  const steps = estimates.map((estimatedMinutes) => ({ estimatedMinutes, approvers: approvers(1, pace) }))
  withSeeds(executions, (seed) => expect(findBottlenecks(steps, gap, executions, seed)).toEqual([]))
})

test('the only step of a workflow is its bottleneck at three times its estimate', () => {
  const analytics = run(createScenario([{ estimatedMinutes: 60, approvers: approvers(1, 3) }], 6000, 100), 1)
  const [bottleneck] = bottlenecksOf(analytics)
  expect(bottleneck).toMatchObject({ stepId: 'step-1', criticalPathShare: 1, cause: 'working' })
  expect(bottleneck?.message).toMatch(/^'step-1' takes 100 % of the time and 3\.\d times its estimate\. Its work/)
})
