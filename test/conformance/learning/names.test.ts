import fc from 'fast-check'
import { expect, test } from 'vitest'
import { likeness } from '../../../conformance/learning/names.ts'

test.each([
  ['workflowId', 'workflow_id', 3],
  ['Estimated-Minutes', 'estimated_minutes', 3],
  ['id', 'workflow_id', 2],
  ['averageDuration', 'mean_time', 2],
  ['step_position', 'order', 2],
  ['estimates', 'estimate', 2],
  ['mean_wait', 'mean_time', 1],
  ['colour', 'workflow_id', 0],
  ['value', 'name', 0],
])('the name %s is like %s to the degree %i', (shown, fact, degree) => {
  expect(likeness(shown, fact)).toBe(degree)
})

test('likeness does not depend on which of two names was shown', () => {
  const names = fc
    .array(fc.constantFrom('workflow', 'id', 'mean', 'average', 'time', 'open', 'step', 'of'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => words.join('_'))
  fc.assert(fc.property(names, names, (one, other) => likeness(one, other) === likeness(other, one)))
})
