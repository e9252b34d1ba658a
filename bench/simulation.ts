import type { WorkflowDefinition } from '../src/domain/approval/workflow.ts'
import type { Router } from '../src/domain/routing/routing.ts'
import type { ProfileOf } from '../src/world/approvers.ts'
import { Clock } from '../src/world/clock.ts'
import { Random } from '../src/world/random.ts'
import { World } from '../src/world/world.ts'

export interface Simulation {
  readonly workflow: WorkflowDefinition
  /** Mean time between two executions; they arrive as a Poisson process. */
  readonly meanGapMinutes: number
  readonly executions: number
  readonly seed: number
  readonly profile: ProfileOf
  readonly router?: Router
}

export const workflowId = 'wf'
const msPerMinute = 60_000

/** Runs executions in a world with simulated approvers until the last has ended, by the mock's own rules. */
export function simulate({ profile, router, ...story }: Simulation): World {
  const clock = new Clock({ speed: 0, start: 0 })
  const world = new World('bench', { seed: String(story.seed), clock, profile, ...(router && { router }) })
  play(world, story)
  return world
}

/** Runs executions in a world whose clock is stopped. Returns the id of the executed document. */
export function play(world: World, story: Omit<Simulation, 'profile' | 'router'>): string {
  const { workflow, meanGapMinutes, executions, seed } = story
  const { clock } = world
  world.handle({ type: 'CreateWorkflow', workflowId, definition: workflow })
  const documentId = confirmDocument(world)
  const arrivals = new Random(`${seed}/arrivals`)
  for (let index = 0; index < executions; index += 1) {
    clock.advance(Math.round(-Math.log(1 - arrivals.draw()) * meanGapMinutes * msPerMinute))
    world.handle({
      type: 'StartExecution',
      executionId: `exe_${index}`,
      workflowId,
      request: { document_id: documentId, priority: 'normal' },
    })
  }
  while (world.analytics(workflowId).metrics().running > 0) clock.advance(60 * msPerMinute)
  return documentId
}

function confirmDocument(world: World): string {
  const terms = {
    key: 'tenants/bench/file.pdf',
    request: { file_name: 'file.pdf', content_type: 'application/pdf', file_size: 0 },
  }
  const sessionId = world.random.uuid()
  const documentId = world.random.id('doc')
  world.handle({ type: 'RequestUpload', sessionId, maxBytes: 0, ...terms })
  world.handle({ type: 'StoreObject', sessionId, sha256: '' })
  world.handle({ type: 'ConfirmUpload', sessionId, documentId, completedFiles: [{ ...terms, ...terms.request }] })
  return documentId
}
