import { expect, onTestFinished, test, vi } from 'vitest'
import { admin } from '../support/admin.ts'
import { freshKey, service } from '../support/service.ts'

/** Stops real time until the current test ends; returns a function that moves it. */
function stopTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return (ms) => vi.advanceTimersByTime(ms)
}

test('calls beyond the rate limit answer 429 until Retry-After has passed', async () => {
  const pass = stopTime()
  const { create, world } = service({ rateLimit: 2 })
  expect([(await create()).status, (await create()).status]).toEqual([201, 201])
  const { status, headers, json } = await create()
  expect([status, headers.get('Retry-After'), world.journal.length]).toEqual([429, '1', 2])
  expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After')
  expect(json).toMatchObject({ title: 'Too Many Requests', code: 'rate-limited' })
  expect(json.detail).toMatch(/is 2 calls per second .* after 1 s/)
  pass(1000)
  expect((await create()).status).toBe(201)
})

test('a rate below one call per second asks for a longer wait', async () => {
  const pass = stopTime()
  const { details } = service({ rateLimit: 0.4 })
  const read = async () => (await details('wf_1')).status
  expect(await read()).toBe(404)
  expect((await details('wf_1')).headers.get('Retry-After')).toBe('3')
  pass(2400)
  expect(await read()).toBe(429)
  pass(600)
  expect(await read()).toBe(404)
})

test('the rate limit counts each key apart, and neither uploads nor refused keys', async () => {
  stopTime()
  const { details, requested, store } = service({ rateLimit: 1 })
  const upload = await requested()
  expect((await details('wf_1')).status).toBe(429)
  expect((await store(upload)).status).toBe(200)
  expect((await details('wf_1', { Authorization: 'wrong' })).status).toBe(401)
  expect((await details('wf_1', { Authorization: freshKey() })).status).toBe(404)
})

test('the admin API shows, sets and removes the rate limit of a tenant', async () => {
  stopTime()
  const { read, steerOwn, details } = admin({ rateLimit: 1 })
  const set = async (settings: object) => (await steerOwn('PUT', '/settings', settings)).json.rate_limit
  expect([(await read('/settings')).rate_limit, await set({ rate_limit: 0 })]).toEqual([1, 0])
  for (const _ of [1, 2, 3]) expect((await details('wf_1')).status).toBe(404)
  expect([await set({ rate_limit: 2 }), await set({})]).toEqual([2, 1])
})
