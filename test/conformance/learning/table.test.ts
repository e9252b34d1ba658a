import { expect, test } from 'vitest'
import { learnedTable } from '../../../conformance/learning/table.ts'

/** How sure the answers to two questions are, if a part of the details is guessed. */
function certaintyOf(pointer: string) {
  const guesses = [{ answer: 'getWorkflow', pointer, why: 'It differs from answer to answer.' }]
  const rows = learnedTable([], { seen: { 'answers/getWorkflow': 11 }, guesses })
  return ['gap.success-statuses', 'gap.details-response'].map((id) => rows.find((row) => row.id === id)?.certainty)
}

test('a guessed member leaves the statuses sure', () => {
  expect(certaintyOf('/body/version')).toEqual(['sure', 'guessed'])
  expect(certaintyOf('/status')).toEqual(['guessed', 'guessed'])
})
