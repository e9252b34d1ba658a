import { expect, test } from 'vitest'
import { learnedTable, questionsIn } from '../../../conformance/learning/table.ts'

const guessed = (pointer: string) => [{ answer: 'getWorkflow', pointer, why: 'It differs from answer to answer.' }]

test.each([
  ['/body/version', 'sure'],
  ['/status', 'guessed'],
])('a guess at %s leaves the statuses %s', (pointer, certainty) => {
  const rows = learnedTable([], { seen: { 'answers/getWorkflow': 11 }, guesses: guessed(pointer) })
  const of = (id: string) => rows.find((row) => row.id === id)?.certainty
  expect([of('gap.success-statuses'), of('gap.details-response')]).toEqual([certainty, 'guessed'])
})

test('a profile keeps what was observed, and says which of it is a guess', () => {
  const guesses = guessed('/body/version')
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
