import type { Recommendation } from '../../src/domain/advice/recommendations.ts'
import type { Analytics } from '../../src/domain/analytics/analytics.ts'
import type { Step } from '../../src/domain/approval/workflow.ts'
import type { ApproverProfile } from '../../src/world/approvers.ts'
import { simulate, workflowId } from '../simulation.ts'

/** A sequential workflow under load. Each approver approves one step. */
export interface Scenario {
  readonly steps: readonly Step[]
  readonly profiles: Readonly<Record<string, ApproverProfile>>
  readonly meanGapMinutes: number
  readonly executions: number
}

/** A step of a scenario, with the profiles of its approvers. */
export interface ScenarioStep {
  readonly estimatedMinutes: number
  readonly approvers: readonly ApproverProfile[]
}

/** Creates a scenario of sequential steps. */
export function createScenario(steps: readonly ScenarioStep[], meanGapMinutes: number, executions: number): Scenario {
  const profiles: Record<string, ApproverProfile> = {}
  const all = steps.map(({ estimatedMinutes, approvers }, index): Step => {
    const stepId = `step-${index + 1}`
    const named = approvers.map((profile, place) => {
      const email = `approver-${place + 1}@${stepId}.example`
      profiles[email] = profile
      return { email, name: email }
    })
    return { step_id: stepId, name: stepId, order: index + 1, approvers: named, estimated_duration: estimatedMinutes }
  })
  return { steps: all, profiles, meanGapMinutes, executions }
}

/** Runs a scenario to its end. The same seed produces the same arrivals in all scenarios of the same load. */
export function run({ steps, profiles, meanGapMinutes, executions }: Scenario, seed: number): Analytics {
  const workflow = { name: 'Bench', description: '', isSequential: true, steps }
  const profile = (email: string) => profiles[email]
  const world = simulate({ workflow, meanGapMinutes, executions, seed, profile })
  return world.analytics(workflowId)
}

/** Applies a recommendation to a scenario. */
export function apply(scenario: Scenario, recommendation: Recommendation, analytics: Analytics): Scenario {
  const { stepId, approverEmail } = recommendation
  const index = scenario.steps.findIndex((step) => step.step_id === stepId)
  const step = scenario.steps[index]
  if (!step) throw new TypeError(`The scenario has no step '${stepId}'. Pass a recommendation of the same scenario.`)
  const profilesOf = (change: (profile: ApproverProfile) => ApproverProfile) => ({
    ...scenario.profiles,
    ...Object.fromEntries(
      step.approvers.flatMap(({ email }) => {
        const profile = scenario.profiles[email]
        return profile ? [[email, change(profile)]] : []
      }),
    ),
  })
  const withSteps = (...changed: Step[]) => ({
    ...scenario,
    steps: scenario.steps.toSpliced(index, 1, ...changed),
  })
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
      const approvalRate = (profile: ApproverProfile) => ({ ...profile, approvalRate: Math.sqrt(profile.approvalRate) })
      return { ...halves, profiles: profilesOf(approvalRate) }
    }
    case 're-estimate-step': {
      const estimatedMinutes = Math.max(1, Math.round(analytics.step(stepId).working.meanMs / 60_000))
      const factor = step.estimated_duration / estimatedMinutes
      const sameWork = (profile: ApproverProfile) => ({ ...profile, pace: profile.pace * factor })
      return { ...withSteps({ ...step, estimated_duration: estimatedMinutes }), profiles: profilesOf(sameWork) }
    }
  }
}
