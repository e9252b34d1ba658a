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
  expect(unsure[0]?.message).toContain('answered 500, but answered such a request with success at another time')
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

/** A sound server whose upload URLs lead to another address. Records which hosts were called. */
function createServerLeadingTo(uploadUrl: string, base = 'https://approvals.example') {
  const { fetch } = createMock()
  const called = new Set<string>()
  const send = async (request: Request) => {
    called.add(new URL(request.url).host)
    const response = await fetch(request)
    if (!request.url.endsWith('/upload/') || !response.ok) return response
    return Response.json({ ...(await response.json()), upload_url: uploadUrl })
  }
  return {
    called,
    options: { url: base, apiKey: 'test_safety', fetch: send, time: virtualTime(), tries: 1, gaps: false },
  }
}

test('a public deployment leads to no private address, and one check says so', async () => {
  const { called, options } = createServerLeadingTo('http://10.0.0.8/x')
  const { verdict, checks } = await run(options)
  expect(verdict).not.toBe('conforming')
  expect([...called]).toEqual(['approvals.example'])
  const saying = checks.filter(
    ({ verdict, message }) => verdict === 'inconclusive' && /^PUT \S+ was not sent/.test(message),
  )
  expect(saying.map(({ id }) => id)).toEqual(['storage.put-to-upload-url'])
})

test('a fetch that checks addresses itself is called for every address', async () => {
  const { called, options } = createServerLeadingTo('http://10.0.0.8/x')
  await run({ ...options, checksAddresses: true })
  expect([...called].sort()).toEqual(['10.0.0.8', 'approvals.example'])
})

test('an address with a password is not used, and the run does not crash', async () => {
  const { called, options } = createServerLeadingTo('https://user:secret@storage.example/x')
  const { verdict, checks } = await run(options)
  expect(verdict).not.toBe('conforming')
  expect(checks.filter((check) => check.verdict === 'harness-error')).toEqual([])
  expect([...called]).toEqual(['approvals.example'])
})

test('a redirect is never followed with the key', async () => {
  const called = new Set<string>()
  const fetch = async (request: Request) => {
    called.add(new URL(request.url).host)
    // A redirect that the platform followed would not be visible here.
    expect(request.redirect).toBe('manual')
    return Response.redirect('https://elsewhere.example/', 307)
  }
  const { verdict } = await run({ url: 'https://approvals.example', apiKey: 'test_safety', fetch, time: virtualTime() })
  expect(verdict).toBe('nonconforming')
  expect([...called]).toEqual(['approvals.example'])
})
