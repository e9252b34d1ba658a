import { expect, test } from 'vitest'
import type { Introduced } from '../../../conformance/learning/roles.ts'
import type { Guess } from '../../../conformance/learning/sample.ts'
import { sessionDataOf, withoutSessionData } from '../../../conformance/learning/session-data.ts'
import type { Json } from '../../../src/profile/template.ts'
import { exchangeOf } from '../../support/exchange.ts'

const sent = {
  name: 'learn-7 workflow 1',
  description: 'The first one',
  steps: [
    { step_id: 'w1-legal', name: 'Legal check 1', approvers: [{ email: 'ann.1@example.com', name: 'Ann of 1' }] },
  ],
}

function created(shown: string, json: object = {}, body: object = sent): Introduced {
  const answer = { sent: JSON.stringify(body), bytes: new TextEncoder().encode(shown), json, at: 0 }
  return {
    exchange: exchangeOf({ method: 'POST' }, answer),
    call: 'createWorkflow',
    isSuccess: true,
    roles: { workflow: 'wf-8842' },
  }
}

const often = 'b1946ac92492d234'
const data = sessionDataOf([created(`once 5f2c9a7be01d44aa and often ${often}`), created(`again ${often}`)])

function clean(template: Json, isRefusal = false) {
  const guesses: Guess[] = []
  const has = (pointer: string) => /^\/answer\/(steps|workflow_id)/.test(pointer)
  return [withoutSessionData(template, { data, isRefusal, has, guess: (one) => guesses.push(one) }), guesses.length]
}

const step = { $: '/answer/steps/0/step_id', or: '' }
const stepName = { $: '/answer/steps/0/name', or: '' }
const asked = { $: '/path/workflow_id', or: '' }
const cases = { $case: '/answer/name', values: { 'learn-7 workflow 1': 'A' }, else: { $: '/answer/name' } }

test.each<[what: string, template: Json, cleaned: Json, guesses: number]>([
  ['a step', { where: 'w1-legal' }, { where: step }, 1],
  ['its name', ['Look at "Legal check 1" first.'], [{ $text: ['Look at "', stepName, '" first.'] }], 1],
  ['a part of it', { $text: ['Ask w1-le', { $new: 'letters', length: 3 }] }, { $text: ['Ask ', step] }, 1],
  ['a time', '2026-11-22T22:39:43+01:00', { $time: '/now', form: 'iso-offset-seconds', zone: 60 }, 1],
  [
    'a long word in one answer',
    'trace 5f2c9a7be01d44aa',
    { $text: ['trace ', { $new: 'hex', length: 16, per: 'call' }] },
    0,
  ],
  ['a word in several answers', `account ${often}`, `account ${often}`, 0],
  ['the name of a member', { states: { 'w1-legal': 'open' }, total: 1 }, { states: {}, total: 1 }, 1],
  ['a case of an instruction', cases, cases, 0],
])('%s of the session is replaced, or stays', (_, template, cleaned, guesses) => {
  expect(clean(template)).toEqual([cleaned, guesses])
})

test('a refusal shows the requested identifier, not the learned one', () => {
  expect(clean('There is no wf-8842.', true)).toEqual([{ $text: ['There is no ', asked, '.'] }, 1])
})

const about = (session: readonly Introduced[]) => ({
  data: sessionDataOf(session),
  isRefusal: false,
  has: () => false,
  guess: () => {},
})

test('a place with a new value in each answer has one in refusals that were seen once', () => {
  const refs = ['req_9f1c2ab4', 'req_03bd71e5', 'req_c4a85d60', 'req_71f0e3b9', 'req_5ad2960c', 'req_e8174fb3']
  const context = { ...about(refs.map((ref) => created('{}', { ref }))), isRefusal: true }
  const made = { $text: ['req_', { $new: 'hex', length: 8, per: 'call' }] }
  expect(withoutSessionData({ body: { ref: refs[0] ?? '' } }, context)).toEqual({ body: { ref: made } })
})

test('domains of a lesson and identifiers made of its names are left out', () => {
  const approvers = [{ email: 'ann@w1-4c81.example.com', name: 'Ann' }]
  const context = about([created('', {}, { ...sent, steps: [{ ...sent.steps[0], approvers }] })])
  const digit = { $new: 'digits' as const, length: 1 }
  const masked = { $text: [digit, '@w1-4c81.example.com'] }
  expect(withoutSessionData(masked, context)).toEqual({ $text: [digit, '@example.com'] })
  const slugs = { ...context, data: { ...context.data, texts: context.data.slugs } }
  const left = withoutSessionData({ $text: ['learn-7-workflow-', digit] }, slugs)
  expect(JSON.stringify(left)).not.toContain('learn-7')
})
