import { expect, test } from 'vitest'
import { generaliseAnswer } from '../../conformance/learning/generalise.ts'
import { learnTemplates } from '../../conformance/learning/learn.ts'
import { flawOf } from '../../src/profile/profile.ts'
import { answerTo } from './answers.ts'

test('status and headers that follow what is sent make a profile that can be used', () => {
  const samples = [404, 422, 404].map((status, index) => {
    const names = ['legal', 'finance', 'board'].slice(index)
    const headers = Object.fromEntries(names.map((name) => [name, 'a']))
    const facts = { now: '', request: { wanted: status }, answer: { steps: names.map((step_id) => ({ step_id })) } }
    return { facts, value: { status, headers, body: headers }, items: [], thing: String(index), at: index }
  })
  const guesses: string[] = []
  const guess = ({ pointer }: { readonly pointer: string }) => guesses.push(pointer)
  const answer = generaliseAnswer(samples, { pointer: '', name: '', depth: 0, guess })
  expect(answer).toMatchObject({ status: 404, body: { $entries: '/answer/steps' } })
  expect(flawOf({ version: 1, refusals: { a: answer } })).toBeUndefined()
  expect(guesses).toContain('/status')
})

test('an answer with a status that no mock can send is left out', () => {
  const exchange = { ...answerTo('createWorkflow', {}), status: 999 }
  const introduced = { exchange, call: 'createWorkflow', isSuccess: true, roles: {} } as const
  const { answers, guesses } = learnTemplates([{ introduced, facts: { now: '' }, isAccepted: true }])
  expect(answers).toEqual({})
  expect(guesses).toEqual([
    { answer: 'createWorkflow', pointer: '', why: 'an answer has the status 999, and was left out' },
  ])
})
