import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { safety } from '../../conformance/run/safety.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { isPrivate } from '../../conformance/wire/addresses.ts'
import { createMock } from '../../src/index.ts'

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

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:6379/',
  'http://[::1]/',
  'http://10.0.0.8/x',
  'http://printer/x',
])('no public deployment leads the suite to %s', async (url) => {
  const { called, options } = createServerLeadingTo(url)
  const { verdict } = await run(options)
  expect(verdict).not.toBe('conforming')
  expect([...called]).toEqual(['approvals.example'])
})

test('a fetch that checks addresses itself is called for every address', async () => {
  const { called, options } = createServerLeadingTo('http://10.0.0.8/x')
  await run({ ...options, checksAddresses: true, gaps: false })
  expect([...called].sort()).toEqual(['10.0.0.8', 'approvals.example'])
})

test('if storage cannot be reached, one check says so and others are blocked', async () => {
  const { options } = createServerLeadingTo('http://10.0.0.8/x')
  const { checks } = await run({ ...options, gaps: false })
  const saying = checks.filter(
    (check) => check.verdict === 'inconclusive' && /^PUT \S+ was not sent/.test(check.message),
  )
  expect(saying.map(({ id }) => id)).toEqual(['storage.put-to-upload-url'])
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

test.each([
  ['approvals.example', false],
  ['8.8.8.8', false],
  ['172.15.0.1', false],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['10.cdn.example.com', false],
  ['192.168.example.com', false],
  ['[2606:4700::1111]', false],
  ['[fd00::1]', true],
  ['[fe80::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['localhost', true],
  ['nas.local', true],
  ['nas.local.', true],
  ['localhost.', true],
])('%s is private: %s', (host, expected) => {
  expect(isPrivate(host)).toBe(expected)
})

test.each([
  ['https://approvals.example', 5],
  ['http://10.0.0.8', 5],
  ['http://127.0.0.1:4010', undefined],
  ['http://mock.test', undefined],
])('without a rate, %s gets %s requests a second', (url, perSecond) => {
  expect(safety({ url, apiKey: 'test_a' }).perSecond).toBe(perSecond)
  expect(safety({ url, apiKey: 'test_a', perSecond: 20 }).perSecond).toBe(20)
})

test.each([
  ['test_a', {}, true],
  ['sk_test_a', {}, true],
  ['live_a', {}, false],
  ['live_a', { allowLiveKey: true }, true],
  ['live_a', { profile: { testKeyPattern: '^live_' } }, true],
])('the key %s may be used with %j: %s', (apiKey, more, may) => {
  expect(safety({ url: 'https://approvals.example', apiKey, ...more }).flaw === undefined).toBe(may)
})
