import { expect, onTestFinished, test, vi } from 'vitest'
import { freshKey, service, workflow } from '../support/service.ts'

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
  const { call } = service({ rateLimit: 2 })
  const create = () => call('POST', '/api/v1/workflows', workflow())
  expect([(await create()).status, (await create()).status]).toEqual([201, 201])
  const { status, headers, json } = await create()
  expect(status).toBe(429)
  expect(headers.get('Retry-After')).toBe('1')
  expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After')
  expect(json).toMatchObject({ title: 'Too Many Requests', code: 'rate-limited' })
  expect(json.detail).toMatch(/is 2 calls per second .* after 1 s/)
  pass(1000)
  expect((await create()).status).toBe(201)
})

test('a rate below one call per second asks for a longer wait', async () => {
  const pass = stopTime()
  const { call } = service({ rateLimit: 0.4 })
  const read = () => call('GET', '/api/v1/workflows/wf_1')
  expect((await read()).status).toBe(404)
  const { headers } = await read()
  expect(headers.get('Retry-After')).toBe('3')
  pass(2400)
  expect((await read()).status).toBe(429)
  pass(600)
  expect((await read()).status).toBe(404)
})

test('the rate limit counts each key apart, and neither uploads nor refused keys', async () => {
  stopTime()
  const { call, put, requested, pdf } = service({ rateLimit: 1 })
  const { upload_url, headers } = await requested()
  expect((await call('GET', '/api/v1/workflows/wf_1')).status).toBe(429)
  expect((await put(upload_url, pdf, headers)).status).toBe(200)
  const other = freshKey()
  expect((await call('GET', '/api/v1/workflows/wf_1', undefined, { Authorization: 'wrong' })).status).toBe(401)
  expect((await call('GET', '/api/v1/workflows/wf_1', undefined, { Authorization: other })).status).toBe(404)
})

test('a refused call changes nothing', async () => {
  stopTime()
  const { call, world, created } = service({ rateLimit: 1 })
  await created()
  const before = world.journal.length
  expect((await call('POST', '/api/v1/workflows', workflow())).status).toBe(429)
  expect(world.journal.length).toBe(before)
})

test('the admin API shows, sets and removes the rate limit of a tenant', async () => {
  stopTime()
  const { mock, key, call } = service({ rateLimit: 1, admin: { trusting: true } })
  const settings = async (method: string, body?: object) => {
    const request = new Request('http://127.0.0.1/__admin/settings', {
      method,
      headers: { Authorization: key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await mock.fetch(request)).json()
  }
  const read = async () => (await call('GET', '/api/v1/workflows/wf_1')).status
  expect(await settings('GET')).toMatchObject({ rate_limit: 1 })
  expect(await settings('PUT', { rate_limit: 0 })).toMatchObject({ rate_limit: 0 })
  expect([await read(), await read(), await read()]).toEqual([404, 404, 404])
  expect(await settings('PUT', { rate_limit: 2 })).toMatchObject({ rate_limit: 2 })
  expect(await settings('PUT', {})).toMatchObject({ rate_limit: 1 })
})
