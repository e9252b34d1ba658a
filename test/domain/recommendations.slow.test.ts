import { expect, test } from 'vitest'
import type { Recommendation } from '../../src/domain/advice/recommendations.ts'
import { Analytics } from '../../src/domain/analytics/analytics.ts'
import type { Step } from '../../src/domain/approval/workflow.ts'
import type { ApproverProfile } from '../../src/world/approvers.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'
import { createScenario, recommendationsFor, run, type Scenario } from '../support/simulation.ts'

/** An approver who needs this multiple of the estimate on average. */
const approver = (pace: number) => ({ pace: pace / Math.exp(0.08), spread: 0.4, approvalRate: 0.97 })
const stepOf = (estimatedMinutes: number, ...paces: number[]) => ({ estimatedMinutes, approvers: paces.map(approver) })
const [usual, slow] = [stepOf(60, 1, 1), stepOf(60, 3, 3, 3)]

/** For each type, a workflow that causes the recommendation. */
const causes: Readonly<Record<Recommendation['type'], Scenario>> = {
  'add-approver': createScenario([usual, stepOf(60, 1), usual], 60 / 0.85, 700),
  // One of four approvers is mostly away, which is unknown before the first decision.
  'remove-approver': createScenario([stepOf(60, 1.1, 1.1, 1.1, 40), usual], 60 / 0.9, 200),
  'run-steps-in-parallel': createScenario([usual, stepOf(45, 1, 1), stepOf(30, 1, 1)], 60, 700),
  'split-step': createScenario([usual, slow, usual], 150, 700),
  're-estimate-step': createScenario([usual, stepOf(30, 4, 4, 4), usual], 80, 700),
}

test.each(nonEmpty(Object.entries(causes)))('%s changes the mean completion time as predicted', (type, scenario) => {
  for (let seed = 1; seed <= cases(3, 1); seed += 1) {
    const before = run(scenario, seed)
    const recommendation = recommendationsFor(before).find((candidate) => candidate.type === type)
    if (!recommendation) expect.fail(`Seed ${seed} has no such recommendation.`)
    const after = run(apply(scenario, recommendation, before), seed)
    const predicted = recommendation.predictedChangeMinutes
    const actual = (after.completion.meanMs - before.completion.meanMs) / 60_000
    const ofWhat = predicted === 0 ? before.completion.meanMs / 60_000 : Math.abs(actual)
    expect(Math.abs(predicted - actual) / ofWhat).toBeLessThanOrEqual(predicted === 0 ? 0.02 : 0.3)
  }
})

/** Applies a recommendation to a scenario. */
function apply(scenario: Scenario, recommendation: Recommendation, analytics: Analytics): Scenario {
  const { stepId, approverEmail } = recommendation
  const index = scenario.steps.findIndex((step) => step.step_id === stepId)
  const step = scenario.steps[index] ?? expect.fail(`The scenario has no step '${stepId}'.`)
  const withSteps = (...changed: Step[]) => ({ ...scenario, steps: scenario.steps.toSpliced(index, 1, ...changed) })
  const profilesOf = (change: (profile: ApproverProfile) => Partial<ApproverProfile>) => {
    const changed = step.approvers.flatMap(({ email }) => {
      const profile = scenario.profiles[email]
      return profile ? [[email, { ...profile, ...change(profile) }]] : []
    })
    return { ...scenario.profiles, ...Object.fromEntries(changed) }
  }
  switch (recommendation.type) {
    case 'add-approver': {
      const { working, approved, rejected } = analytics.step(stepId)
      const variance = Math.log(1 + working.scv)
      const pace = working.meanMs / 60_000 / step.estimated_duration / Math.exp(variance / 2)
      const profile = { pace, spread: Math.sqrt(variance), approvalRate: approved / (approved + rejected) }
      const email = `newcomer@${stepId}.example`
      const changed = { ...step, approvers: [...step.approvers, { email, name: email }] }
      return { ...withSteps(changed), profiles: { ...scenario.profiles, [email]: profile } }
    }
    case 'remove-approver':
      return withSteps({ ...step, approvers: step.approvers.filter(({ email }) => email !== approverEmail) })
    case 'run-steps-in-parallel': {
      const orders = scenario.steps.map(({ order }) => order).filter((order) => order < step.order)
      return withSteps({ ...step, order: Math.max(...orders) })
    }
    case 'split-step': {
      const half = { ...step, estimated_duration: step.estimated_duration / 2 }
      const halves = withSteps({ ...half, step_id: `${stepId}-a` }, { ...half, step_id: `${stepId}-b` })
      return { ...halves, profiles: profilesOf(({ approvalRate }) => ({ approvalRate: Math.sqrt(approvalRate) })) }
    }
    case 're-estimate-step': {
      const estimatedMinutes = Math.max(1, Math.round(analytics.step(stepId).working.meanMs / 60_000))
      const factor = step.estimated_duration / estimatedMinutes
      const profiles = profilesOf(({ pace }) => ({ pace: pace * factor }))
      return { ...withSteps({ ...step, estimated_duration: estimatedMinutes }), profiles }
    }
  }
}

test.each([
  ['all at once', 0.001, 50],
  ['far more than can be done', 20, 300],
  ['more than even two can do', 28, 300],
  ['what two can just do', 31, 300],
])('a further approver for %s saves what is predicted', (_, gapMinutes, executions) => {
  const before = run(createScenario([stepOf(60, 1)], gapMinutes, executions), 1)
  const after = run(createScenario([stepOf(60, 1, 1)], gapMinutes, executions), 1)
  const saved = (before.completion.meanMs - after.completion.meanMs) / 60_000
  const added = recommendationsFor(before).find(({ type }) => type === 'add-approver')
  const share = -(added?.predictedChangeMinutes ?? 0) / saved
  expect(share).toBeGreaterThan(0.8)
  expect(share).toBeLessThan(1.25)
})

test('nothing is recommended before anything has happened', () => {
  const [step] = createScenario([stepOf(60, 1)], 60, 1).steps
  const workflow = { name: '', description: '', isSequential: true, steps: step ? [step] : [] }
  expect(recommendationsFor(new Analytics({ ...workflow, workflowId: 'wf', createdAt: 0 }))).toEqual([])
})

test('recommendations come in the order of what they save', () => {
  const steps = [stepOf(60, 1), stepOf(60, 3, 3), stepOf(60, 1)]
  const recommendations = recommendationsFor(run(createScenario(steps, 100, 500), 1))
  const changes = recommendations.map(({ predictedChangeMinutes }) => predictedChangeMinutes)
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(recommendations.filter(({ predictedChangeMinutes }) => predictedChangeMinutes >= 0)).toMatchObject([
    { type: 're-estimate-step', stepId: 'step-2', predictedChangeMinutes: 0 },
  ])
})

test('a slow approver who gets work only while the others are busy is not removed', () => {
  const steps = [stepOf(60, 1, 2)]
  for (const seed of [1, 2, 3]) {
    const analytics = run(createScenario(steps, 60 / 0.5, 1000), seed)
    const share = analytics.step('step-1').approver('approver-2@step-1.example').working.count / 1000
    expect(share).toBeGreaterThan(0.05)
    expect(recommendationsFor(analytics).map(({ type }) => type)).not.toContain('remove-approver')
  }
})

test('no step is split among one approver, nor put beside one that shares it', () => {
  const { steps, ...rest } = createScenario([stepOf(60, 1), stepOf(60, 3)], 400, 200)
  const [first] = steps
  const shared = steps.map((step) => ({ ...step, approvers: first?.approvers ?? [] }))
  const typesOf = (each: typeof steps) => recommendationsFor(run({ ...rest, steps: each }, 1)).map(({ type }) => type)
  expect(typesOf(steps)).toContain('run-steps-in-parallel')
  expect(typesOf(steps)).not.toContain('split-step')
  expect(typesOf(shared)).not.toContain('run-steps-in-parallel')
})
