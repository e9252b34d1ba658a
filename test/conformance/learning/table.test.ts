import { expect, test } from 'vitest'
import { learnedTable, questionsIn } from '../../../conformance/learning/table.ts'

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

test('a profile keeps what was observed, and says which of it is a guess', () => {
  const guesses = [{ answer: 'getWorkflow', pointer: '/body/version', why: 'It differs from answer to answer.' }]
  const observed = [
    { id: 'gap.success-statuses', observed: 'create 200' },
    { id: 'gap.details-response', observed: 'metrics at /stats' },
  ] as const
  const seen = { 'answers/createWorkflow': 2, 'answers/confirmUpload': 1 }
  expect(questionsIn(learnedTable(observed, { seen, guesses }, { approvers: 'instant' }))).toEqual({
    'gap.success-statuses': 'create 200',
    'gap.details-response': 'metrics at /stats (a guess)',
    'gap.approvals': 'executions end at once',
  })
})
