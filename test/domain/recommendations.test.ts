import { expect, test } from 'vitest'
import { measure } from '../../bench/recommendations/measure.ts'
import { createScenario, run } from '../../bench/recommendations/scenario.ts'
import { scenarios } from '../../bench/recommendations/scenarios.ts'
import { recommendationsFor } from '../../src/domain/advice/recommendations.ts'
import { Analytics } from '../../src/domain/analytics/analytics.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'

const types = Object.keys(scenarios) as (keyof typeof scenarios)[]
const approver = (pace: number) => ({ pace: pace / Math.exp(0.08), spread: 0.4, approvalRate: 0.97 })

test.each(nonEmpty(types))('%s changes the mean completion time as predicted', (type) => {
  const runs = cases(3, 1)
  const result = measure(type, scenarios[type], runs)
  expect(result).toMatchObject({ made: runs, rightSign: runs })
  expect(result.error.median).toBeLessThanOrEqual(0.25)
})

test.each([
  ['all at once', 0.001, 50],
  ['far more than can be done', 20, 300],
  ['more than even two can do', 28, 300],
  ['what two can just do', 31, 300],
])('a further approver for %s saves what is predicted', (_, gapMinutes, executions) => {
  const step = (approvers: number) => ({ estimatedMinutes: 60, approvers: Array(approvers).fill(approver(1)) })
  const before = run(createScenario([step(1)], gapMinutes, executions), 1)
  const after = run(createScenario([step(2)], gapMinutes, executions), 1)
  const saved = (before.completion.meanMs - after.completion.meanMs) / 60_000
  const added = recommendationsFor(before).find(({ type }) => type === 'add-approver')
  expect(-(added?.predictedChangeMinutes ?? 0) / saved).toBeGreaterThan(0.8)
  expect(-(added?.predictedChangeMinutes ?? 0) / saved).toBeLessThan(1.25)
})

test('nothing is recommended before anything has happened', () => {
  const [step] = createScenario([{ estimatedMinutes: 60, approvers: [approver(1)] }], 60, 1).steps
  const workflow = { name: '', description: '', isSequential: true, steps: step ? [step] : [] }
  expect(recommendationsFor(new Analytics({ ...workflow, workflowId: 'wf', createdAt: 0 }))).toEqual([])
})

test('recommendations come in the order of what they save', () => {
  const steps = [
    { estimatedMinutes: 60, approvers: [approver(1)] },
    { estimatedMinutes: 60, approvers: [approver(3), approver(3)] },
    { estimatedMinutes: 60, approvers: [approver(1)] },
  ]
  const recommendations = recommendationsFor(run(createScenario(steps, 100, 500), 1))
  const changes = recommendations.map(({ predictedChangeMinutes }) => predictedChangeMinutes)
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(recommendations.filter(({ predictedChangeMinutes }) => predictedChangeMinutes >= 0)).toMatchObject([
    { type: 're-estimate-step', stepId: 'step-2', predictedChangeMinutes: 0 },
  ])
})

test('a slow approver who gets work only while the others are busy is not removed', () => {
  const steps = [{ estimatedMinutes: 60, approvers: [approver(1), approver(2)] }]
  for (const seed of [1, 2, 3]) {
    const analytics = run(createScenario(steps, 60 / 0.5, 1000), seed)
    const share = analytics.step('step-1').approver('approver-2@step-1.example').working.count / 1000
    expect(share).toBeGreaterThan(0.05)
    expect(recommendationsFor(analytics).map(({ type }) => type)).not.toContain('remove-approver')
  }
})

test('no step is split among one approver, nor put beside one that shares it', () => {
  const { steps, ...rest } = createScenario(
    [
      { estimatedMinutes: 60, approvers: [approver(1)] },
      { estimatedMinutes: 60, approvers: [approver(3)] },
    ],
    400,
    200,
  )
  const [first] = steps
  const shared = steps.map((step) => ({ ...step, approvers: first?.approvers ?? [] }))
  const typesOf = (each: typeof steps) => recommendationsFor(run({ ...rest, steps: each }, 1)).map(({ type }) => type)
  expect(typesOf(steps)).toContain('run-steps-in-parallel')
  expect(typesOf(steps)).not.toContain('split-step')
  expect(typesOf(shared)).not.toContain('run-steps-in-parallel')
})
