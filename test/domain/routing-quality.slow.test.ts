import { expect, test } from 'vitest'
import type { Router } from '../../src/domain/routing/routing.ts'
import { simulate, workflowId } from '../support/simulation.ts'

const paces = [1.4, 0.7, 2, 0.5, 1]
const slowed = [1.4, 0.7, 2, 2, 1]
const spread = 0.4
const executions = 2500

const approvers = paces.map((_, index) => ({ email: `approver-${index}@example.com`, name: `Approver ${index}` }))
const step = { step_id: 'only', name: 'Only', order: 1, approvers, estimated_duration: 60 }
const workflow = { name: 'Routed', description: '', isSequential: true, steps: [step] }

/** Chooses the approver with the fewest open steps, the first of several. */
const leastLoaded: Router = ({ step, desk }) => {
  const open = step.approvers.map(({ email }) => desk(email).open)
  const assignee = step.approvers[open.indexOf(Math.min(...open))] ?? expect.fail('The step has no approver.')
  return { assignee, reason: '', candidates: [] }
}

/** Returns the mean minutes from start to end. If the fastest approver turns slow half-way, those count that start later. */
function meanMinutes(load: number, after: readonly number[], seed: number, router?: Router): number {
  const perMinute = after.reduce((sum, pace) => sum + 1 / pace, 0) / Math.exp(spread ** 2 / 2)
  const meanGapMinutes = 60 / perMinute / load
  const changeAt = after === paces ? 0 : (executions / 2) * meanGapMinutes * 60_000
  const world = simulate({
    ...{ workflow, meanGapMinutes, executions, seed, ...(router && { router }) },
    profile: (email, now) => {
      const index = approvers.findIndex((approver) => approver.email === email)
      return { pace: (now < changeAt ? paces : after)[index] ?? 1, spread, approvalRate: 0.95 }
    },
  })
  const counted = world.recentExecutions(workflowId, executions).filter(({ startedAt }) => startedAt >= changeAt)
  return (
    counted.reduce((sum, { startedAt, completedAt = Number.NaN }) => sum + completedAt - startedAt, 0) / counted.length
  )
}

test.each([
  ['60 % load', 0.6, paces, 0.78],
  ['85 % load', 0.85, paces, 0.86],
  ['60 % load, when the fastest turns slow', 0.6, slowed, 0.85],
  ['85 % load, when the fastest turns slow', 0.85, slowed, 0.92],
])('smart routing beats the least loaded at %s', (_, load, after, atMost) => {
  const shares = [1, 2, 3].map((seed) => meanMinutes(load, after, seed) / meanMinutes(load, after, seed, leastLoaded))
  expect(shares.reduce((sum, share) => sum + share) / shares.length).toBeLessThanOrEqual(atMost)
})
