import { expect, onTestFinished, test, vi } from 'vitest'
import { admin } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { freshKey, service } from '../support/service.ts'

/** Stops real time until the current test ends; returns a function that moves it. */
function stopTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms) => void vi.advanceTimersByTime(ms)
}

test('calls beyond the rate limit answer 429 until Retry-After has passed', async () => {
  const pass = stopTime()
  const { create, world } = service({ rateLimit: 2 })
  expect([(await create()).status, (await create()).status]).toEqual([201, 201])
  const { headers, json } = await mustAnswer(create(), 429, 'rate-limited')
  expect([headers.get('Retry-After'), world.journal.length]).toEqual(['1', 2])
  expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After')
  expect(json.detail).toMatch(/is 2 calls per second .* after 1 s/)
  pass(1000)
  expect((await create()).status).toBe(201)
})

test('a rate below one call per second asks for a longer wait', async () => {
  const pass = stopTime()
  const { details } = service({ rateLimit: 0.4 })
  await details('wf_1')
  expect((await mustAnswer(details('wf_1'), 429)).headers.get('Retry-After')).toBe('3')
  pass(2400)
  await mustAnswer(details('wf_1'), 429)
  pass(600)
  await mustAnswer(details('wf_1'), 404)
})

test('the rate limit counts each key apart, and neither uploads nor refused keys', async () => {
  stopTime()
  const { details, requested, store } = service({ rateLimit: 1 })
  const upload = await requested()
  await mustAnswer(details('wf_1'), 429)
  await mustAnswer(store(upload), 200)
  await mustAnswer(details('wf_1', { Authorization: 'wrong' }), 401)
  await mustAnswer(details('wf_1', { Authorization: freshKey() }), 404)
})

test('the admin API shows, sets and removes the rate limit of a tenant', async () => {
  stopTime()
  const { read, steerOwn, details } = admin({ rateLimit: 1 })
  const set = async (settings: object) => (await steerOwn('PUT', '/settings', settings)).json.rate_limit
  expect([(await read('/settings')).rate_limit, await set({ rate_limit: 0 })]).toEqual([1, 0])
  for (const _ of [1, 2, 3]) await mustAnswer(details('wf_1'), 404)
  expect([await set({ rate_limit: 2 }), await set({})]).toEqual([2, 1])
})
