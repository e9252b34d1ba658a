import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'

test('a read that fails once does not pass, even if it succeeds later', async () => {
  const { fetch } = createMock()
  let reads = 0
  const unsteady = async (request: Request) => {
    if (request.method === 'GET') reads += 1
    return reads === 4 && request.method === 'GET' ? new Response(null, { status: 500 }) : fetch(request)
  }
  const options = { url: 'http://mock.test', apiKey: 'test_safety', fetch: unsteady, time: virtualTime() }
  const { verdict, checks } = await run(options)
  expect(verdict).toBe('undecided')
  const unsure = checks.filter((check) => check.verdict === 'inconclusive')
  expect(unsure.map(({ id }) => id)).toEqual(['flow.create-execute-read'])
  expect(unsure[0]?.message).toContain('answered 500, but answered the same request with success at another time')
})

test('a run keeps to its number of requests, and waits when it is throttled', async () => {
  const { fetch } = createMock()
  let count = 0
  const throttling = async (request: Request) => {
    count += 1
    return count % 4 === 0 ? new Response(null, { status: 429, headers: { 'Retry-After': '2' } }) : fetch(request)
  }
  const options = { url: 'http://mock.test', apiKey: 'test_safety', fetch: throttling, time: virtualTime() }
  const { verdict, requests } = await run({ ...options, maxMs: 1e9 })
  expect(verdict).toBe('conforming')
  expect(requests.waitingMs).toBeGreaterThan(2000)
  const few = await run({ ...options, maxRequests: 10 })
  expect([few.verdict, few.requests.sent]).toEqual(['undecided', 10])
})
