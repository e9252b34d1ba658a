/** What is learned of the statuses and headers of answers, which a profile can have only in part. */
import { expect, test } from 'vitest'
import { generaliseAnswer } from '../../conformance/learning/generalise.ts'
import { learnTemplates } from '../../conformance/learning/learn.ts'
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { Places } from '../../conformance/learning/roles.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { Target } from '../../conformance/wire/target.ts'
import { createMock } from '../../src/index.ts'
import { learnRecording } from '../../src/learn/learn-deployment.ts'
import { flawOf } from '../../src/profile/profile.ts'
import { freshKey } from '../support/service.ts'

/** Learns a mock that adds headers to its answers. */
async function learnWith(add: (headers: Headers) => void) {
  const mock = createMock({ clockSpeed: 0, approvers: 'manual' })
  const apiKey = freshKey()
  const fetch = async (request: Request) => {
    const { status, headers, body } = await mock.fetch(request)
    add(headers)
    return new Response(body, { status, headers })
  }
  const target = new Target({ url: 'http://there.test', apiKey, fetch, time: virtualTime() })
  const plan = { ...plans.learning, prefix: 'learn-4c1d-k3f9a2' }
  const { exchanges } = await takeLesson(plan, { target, places: new Places(), settleMs: 0 })
  return learnRecording(exchanges, { apiKey, hints: {} })
}

test('active headers are listed and not learned, others are learned', async () => {
  const { profile, leftOut } = await learnWith((headers) => {
    for (const name of ['Set-Cookie', 'Refresh', 'X-Content-Type-Options', 'X-Kept']) headers.set(name, 'a')
  })
  expect(leftOut).toEqual(['refresh', 'set-cookie'])
  expect(flawOf(profile)).toBeUndefined()
  expect(JSON.stringify(profile)).toContain('"x-kept":"a"')
})

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
  const exchange = {
    ...{ at: 0, durationMs: 0, status: 999, json: {} },
    headers: new Headers(),
    bytes: new Uint8Array(),
  }
  const request = { method: 'POST', url: 'http://there.test/api/v1/workflows', headers: new Headers() }
  const introduced = { exchange: { ...exchange, request }, call: 'createWorkflow', isSuccess: true, roles: {} } as const
  const { answers, guesses } = learnTemplates([{ introduced, facts: { now: '' }, isAccepted: true }])
  expect(answers).toEqual({})
  expect(guesses).toEqual([
    { answer: 'createWorkflow', pointer: '', why: 'an answer has the status 999, and was left out' },
  ])
})
