import { expect, test } from 'vitest'
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { Places } from '../../conformance/learning/roles.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { Target } from '../../conformance/wire/target.ts'
import { createMock } from '../../src/index.ts'
import { learnFrom } from '../../src/learn/learn.ts'
import { freshKey } from '../support/service.ts'

test('the refusal of an unknown key is learned apart from that of a missing one', async () => {
  const refusal = (error: string) => ({ status: 401, headers: {}, body: { error } })
  const refusals = { 'missing-key': refusal('A key is needed.'), 'not-a-test-key': refusal('The key is not valid.') }
  const mock = createMock({ clockSpeed: 0, like: { version: 1, approvers: 'manual', refusals } })
  const apiKey = freshKey()
  const target = new Target({ url: 'http://there.test', apiKey, fetch: mock.fetch, time: virtualTime() })
  const plan = { ...plans.learning, prefix: 'learn-4c1d-k3f9a2' }
  const { exchanges } = await takeLesson(plan, { target, places: new Places(), settleMs: 0 })
  const { profile } = await learnFrom(exchanges, { apiKey })
  expect(profile.refusals).toMatchObject({
    'missing-key': { body: { error: 'A key is needed.' } },
    'not-a-test-key': { body: { error: 'The key is not valid.' } },
  })
})
