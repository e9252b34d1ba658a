/** Scenarios with a history, so that there are analytics to show. */
import { faker } from '@faker-js/faker/locale/en'
import type { Scenario } from '../../src/world/scenario.ts'
import type { Work } from '../../src/world/slices.ts'
import type { World } from '../../src/world/world.ts'
import { createWorkflow, day, execute, hour, minute, person, seedFrom } from './props.ts'

/** Executes workflows at random times until `until`, with a mean gap of `meanGapMs`. */
function* executeAtRandom(world: World, until: number, meanGapMs: number, workflows: readonly string[]): Work {
  for (;;) {
    const gap = Math.round(-Math.log(1 - world.random.draw()) * meanGapMs)
    if (world.clock.now() + gap > until) return
    world.clock.advance(gap)
    const priority = world.random.draw() < 0.15 ? 'high' : 'normal'
    execute(world, faker.helpers.arrayElement(workflows), priority)
    yield
    // Another world may have used the same faker in the meantime.
    seedFrom(world)
  }
}

export const busyQuarter: Scenario = {
  name: 'busy-quarter',
  description: 'Three workflows and a few hundred executions over 90 days; compliance review is a bottleneck.',
  leadMs: 90 * day,
  profile: (email) =>
    email === 'compliance@example.com'
      ? { pace: 2.5, spread: 0.3, approvalRate: 0.97 }
      : { pace: 0.8, spread: 0.4, approvalRate: 0.95 },
  *play(world, now) {
    seedFrom(world)
    const people = Array.from({ length: 8 }, person)
    const some = (count: number) => faker.helpers.arrayElements(people, count)
    const compliance = { email: 'compliance@example.com', name: 'Casey Compliance' }
    const workflows = [
      createWorkflow(world, 'Supplier contract', [
        { step_id: 'legal', name: 'Legal review', order: 1, approvers: some(3), estimated_duration: 180 },
        {
          step_id: 'compliance',
          name: 'Compliance review',
          order: 2,
          approvers: [compliance],
          estimated_duration: 120,
        },
        { step_id: 'finance', name: 'Finance sign-off', order: 3, approvers: some(2), estimated_duration: 60 },
      ]),
      createWorkflow(world, 'Purchase order', [
        { step_id: 'manager', name: 'Manager approval', order: 1, approvers: some(3), estimated_duration: 60 },
        { step_id: 'finance', name: 'Finance sign-off', order: 2, approvers: some(2), estimated_duration: 45 },
      ]),
      createWorkflow(
        world,
        'Press release',
        [
          { step_id: 'brand', name: 'Brand review', order: 1, approvers: some(2), estimated_duration: 90 },
          { step_id: 'legal', name: 'Legal review', order: 1, approvers: some(2), estimated_duration: 120 },
        ],
        false,
      ),
    ]
    yield* executeAtRandom(world, now, 9 * hour, workflows)
  },
}

export const slowApprover: Scenario = {
  name: 'slow-approver',
  description: 'One of three approvers takes four times as long as the others.',
  leadMs: 30 * day,
  profile: (email) => ({ pace: email === 'slow@example.com' ? 4 : 1, spread: 0.3, approvalRate: 0.97 }),
  *play(world, now) {
    seedFrom(world)
    const approvers = [{ email: 'slow@example.com', name: 'Sidney Slow' }, person(), person()]
    const workflowId = createWorkflow(world, 'Expense report', [
      { step_id: 'review', name: 'Review', order: 1, approvers, estimated_duration: 90 },
    ])
    yield* executeAtRandom(world, now, 200 * minute, [workflowId])
  },
}
