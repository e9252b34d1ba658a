/** Scenarios that each show a single situation. */
import type { Scenario } from '../../src/world/scenario.ts'
import { createWorkflow, day, execute, hour, minute, person, requestUpload, seedFrom } from './props.ts'

const never = { pace: 1e6, spread: 0, approvalRate: 1 }
const prompt = { pace: 0.5, spread: 0.2, approvalRate: 1 }

export const firstDay: Scenario = {
  name: 'first-day',
  description: 'One workflow, and one execution that has just started.',
  leadMs: hour,
  profile: () => never,
  play(world) {
    seedFrom(world)
    const workflowId = createWorkflow(world, 'Supplier contract', [
      { step_id: 'legal', name: 'Legal review', order: 1, approvers: [person(), person()], estimated_duration: 120 },
      { step_id: 'finance', name: 'Finance sign-off', order: 2, approvers: [person()], estimated_duration: 45 },
    ])
    world.clock.advance(50 * minute)
    execute(world, workflowId)
  },
}

export const stuckApproval: Scenario = {
  name: 'stuck-approval',
  description: 'An execution has been waiting twelve days for an approver who does not decide.',
  leadMs: 14 * day,
  profile: (email) => (email === 'away@example.com' ? never : prompt),
  play(world) {
    seedFrom(world)
    const away = { email: 'away@example.com', name: 'Alex Away' }
    const workflowId = createWorkflow(world, 'Travel request', [
      { step_id: 'manager', name: 'Manager approval', order: 1, approvers: [person()], estimated_duration: 60 },
      { step_id: 'budget', name: 'Budget approval', order: 2, approvers: [away], estimated_duration: 60 },
    ])
    world.clock.advance(2 * day - 2 * hour)
    execute(world, workflowId, 'high')
  },
}

export const rejected: Scenario = {
  name: 'rejected',
  description: 'An execution was rejected at its second step and never reached the third.',
  leadMs: 2 * day,
  profile: (email) => ({ ...prompt, approvalRate: email === 'strict@example.com' ? 0 : 1 }),
  play(world) {
    seedFrom(world)
    const strict = { email: 'strict@example.com', name: 'Sasha Strict' }
    const workflowId = createWorkflow(world, 'Marketing claim', [
      { step_id: 'product', name: 'Product review', order: 1, approvers: [person()], estimated_duration: 60 },
      { step_id: 'legal', name: 'Legal review', order: 2, approvers: [strict], estimated_duration: 90 },
      { step_id: 'release', name: 'Release', order: 3, approvers: [person()], estimated_duration: 30 },
    ])
    execute(world, workflowId)
  },
}

export const uploadExpired: Scenario = {
  name: 'upload-expired',
  description: 'An upload was requested but no file was sent; its URL has expired.',
  leadMs: hour,
  play(world) {
    seedFrom(world)
    createWorkflow(world, 'Invoice', [
      { step_id: 'finance', name: 'Finance sign-off', order: 1, approvers: [person()], estimated_duration: 30 },
    ])
    requestUpload(world, 'invoice.pdf')
  },
}
