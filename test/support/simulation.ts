import { basisOf, type Recommendation, recommendationsFrom } from '../../src/domain/advice/recommendations.ts'
import type { Analytics } from '../../src/domain/analytics/analytics.ts'
import type { Step, WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import type { Router } from '../../src/domain/routing/routing.ts'
import { doAtOnce } from '../../src/domain/work.ts'
import type { ApproverProfile, ProfileOf } from '../../src/world/approvers.ts'
import { Clock } from '../../src/world/clock.ts'
import { Random } from '../../src/world/random.ts'
import { defaultSettings, type Settings } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'

/** Executions of one workflow. */
interface Story {
  readonly workflow: WorkflowDefinition
  /** Mean time between two executions; they arrive as a Poisson process. */
  readonly meanGapMinutes: number
  readonly executions: number
  readonly seed: number
}

export interface Simulation extends Story {
  readonly profile: ProfileOf
  readonly router?: Router
}

export const workflowId = 'wf'
const msPerMinute = 60_000

/** Runs executions in a world with simulated approvers until the last has ended, by the mock's own rules. */
export function simulate({ profile, router, ...story }: Simulation): World {
  const clock = new Clock({ speed: 0, start: 0 })
  const world = new World('simulation', { seed: String(story.seed), clock, profile, ...(router && { router }) })
  play(world, story)
  return world
}

/** Runs executions in a world whose clock is stopped. Returns the id of the executed document. */
export function play(world: World, { workflow, meanGapMinutes, executions, seed }: Story): string {
  const { clock } = world
  world.handle({ type: 'CreateWorkflow', workflowId, definition: workflow })
  const documentId = confirmDocument(world)
  const arrivals = new Random(`${seed}/arrivals`)
  for (let index = 0; index < executions; index += 1) {
    clock.advance(Math.round(-Math.log(1 - arrivals.draw()) * meanGapMinutes * msPerMinute))
    const request = { document_id: documentId, priority: 'normal' }
    world.handle({ type: 'StartExecution', executionId: `exe_${index}`, workflowId, request })
  }
  while (world.analytics(workflowId).metrics().running > 0) clock.advance(60 * msPerMinute)
  return documentId
}

/** Uploads an empty file and confirms it. Returns the id of the document. */
function confirmDocument(world: World): string {
  const request = { file_name: 'file.pdf', content_type: 'application/pdf', file_size: 0 }
  const key = 'tenants/bench/file.pdf'
  const sessionId = world.random.uuid()
  const documentId = world.random.id('doc')
  world.handle({ type: 'RequestUpload', sessionId, maxBytes: 0, key, request })
  world.handle({ type: 'StoreObject', sessionId, sha256: '' })
  world.handle({ type: 'ConfirmUpload', sessionId, documentId, completedFiles: [{ key, ...request }] })
  return documentId
}

/** A workflow of one step, which only Ada decides. */
export const oneStep: WorkflowDefinition = {
  ...{ name: '', description: '', isSequential: true },
  steps: [
    {
      ...{ step_id: 'only', name: 'Only', order: 1, estimated_duration: 5 },
      approvers: [{ email: 'ada@example.com', name: 'Ada' }],
    },
  ],
}

/** The settings of a world whose approvers decide by hand. */
export const byHand: Settings = { ...defaultSettings, approvers: 'manual' }

/** Creates a workflow in a world. Returns functions that start executions, and let Ada decide them. */
export function executionsIn(world: World, definition = oneStep) {
  world.handle({ type: 'CreateWorkflow', workflowId, definition })
  const request = { document_id: confirmDocument(world), priority: 'normal' }
  const begin = (executionId: string, of = workflowId) =>
    world.handle({ type: 'StartExecution', executionId, workflowId: of, request })
  const decide = (executionId: string) => {
    const by = { stepId: 'only', email: 'ada@example.com', decision: 'approved' } as const
    world.handle({ type: 'DecideStep', executionId, ...by })
  }
  return { world, begin, decide }
}

/** Creates a world whose clock is stopped, and whose approvers decide by hand, unless options say otherwise. */
export const stillWorld = (options: Partial<ConstructorParameters<typeof World>[1]> = {}) =>
  new World('still', { seed: '1', clock: new Clock({ speed: 0, start: 0 }), settings: byHand, ...options })

/** A sequential workflow under load. Each approver approves one step. */
export interface Scenario extends Pick<Story, 'meanGapMinutes' | 'executions'> {
  readonly steps: readonly Step[]
  readonly profiles: Readonly<Record<string, ApproverProfile>>
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
export function run({ steps, profiles, ...load }: Scenario, seed: number) {
  const workflow = { name: 'Simulation', description: '', isSequential: true, steps }
  return simulate({ ...load, workflow, seed, profile: (email) => profiles[email] }).analytics(workflowId)
}

/** Returns the recommendations for the current figures. */
export function recommendationsFor(analytics: Analytics): readonly Recommendation[] {
  const basis = basisOf(analytics)
  return basis ? doAtOnce(recommendationsFrom(basis)) : []
}
