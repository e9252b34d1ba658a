import { expect, test } from 'vitest'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import { factsOfCall } from '../../../src/profile/facts.ts'
import { learned, sampleOf, written } from './templates.ts'

const request = {
  name: 7,
  steps: [{ order: 'x' }, { order: 2, approvers: [] }],
}

/** A refusal of the request for one rule. */
function refusal(pointer: string, rule: string, body: unknown): AnswerSample {
  const problem = { code: 'invalid-request', errors: [{ pointer, rule, message: '' }] }
  const about = { call: 'createWorkflow', status: 400, body: problem, request, base: '', now: 0 } as const
  return sampleOf(factsOfCall(about), { body })
}

const item = (type: string, loc: string, more: object = {}) => ({ detail: [{ type, loc: `body.${loc}`, ...more }] })

const samples = [
  refusal('/name', 'type', item('string_type', 'name')),
  refusal('/description', 'required', item('missing', 'description')),
  refusal('/isSequential', 'required', item('missing', 'isSequential')),
  refusal('/steps/0/step_id', 'required', item('missing', 'steps.0.step_id')),
  refusal('/steps/0/order', 'type', item('int_parsing', 'steps.0.order')),
  refusal('/steps/1/approvers', 'minItems', item('too_short', 'steps.1.approvers', { ctx: { min: 1 } })),
  refusal('/steps/1/step_id', 'unique', { detail: 'Twice.' }),
]

test('refusals of several kinds teach a template that reproduces each and unseen ones', () => {
  const { template, guesses } = learned(samples)
  expect(guesses).toEqual([])
  const unseen = refusal('/steps/1/name', 'required', item('missing', 'steps.1.name'))
  for (const { facts, value } of [...samples, unseen]) expect(written(template, facts)).toEqual(value)
})

test('a rule that was not broken is refused as most others are', () => {
  const { template } = learned(samples)
  const { body } = written(template, refusal('/name', 'format', undefined).facts) as { body: { detail: unknown } }
  expect(body.detail).toEqual([expect.objectContaining({ loc: 'body.name' })])
})
