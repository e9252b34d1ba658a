import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { judgeAgain, judgementOf } from '../../conformance/selftest/run-on.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { isCall, isServicePath, type ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { Random } from '../../src/world/random.ts'

const runOn = (fetch: ServerFunction, more: object = {}) =>
  run({ url: 'http://troubled.test', apiKey: 'test_troubles', fetch, time: virtualTime(), gaps: false, ...more })

/** The reference behind a gateway that answers some requests itself. */
function gateway(
  isInTrouble: (request: Request) => boolean,
  status: number,
  { carriesOut = false } = {},
): ServerFunction {
  const sound = reference()
  return async (request) => {
    if (!isInTrouble(request)) return sound(request)
    if (carriesOut) await sound(request)
    return new Response('upstream', { status })
  }
}

test.each([1, 2])('5 % of 503 gives a verdict (seed %d)', async (seed) => {
  const random = new Random(String(seed))
  const result = await runOn(gateway(() => random.draw() < 0.05, 503))
  expect(result.verdict).toBe('conforming')
  expect(result.requests.sentAgain).toBeGreaterThan(0)
  expect(judgementOf(judgeAgain(result))).toEqual(judgementOf(result))
})

test.each([502, 504])('each call that a gateway loses once with %d is retried', async (status) => {
  const lost = new Set<string>()
  const once = (request: Request) => {
    const key = `${request.method} ${new URL(request.url).pathname}`
    return !isCall(request, 'executeWorkflow') && !lost.has(key) && Boolean(lost.add(key))
  }
  expect((await runOn(gateway(once, status))).verdict).toBe('conforming')
})

test('an execution that a gateway may have carried out is not sent again', async () => {
  let executions = 0
  const fetch = gateway((request) => isCall(request, 'executeWorkflow') && executions++ === 0, 504, {
    carriesOut: true,
  })
  const { verdict, exchanges } = await runOn(fetch)
  expect(verdict).not.toBe('nonconforming')
  expect(exchanges.filter(({ isSentAgain }) => isSentAgain)).toEqual([])
})

test('a gateway that never reaches the service gets few retries', async () => {
  const { verdict, requests } = await runOn(gateway(() => true, 503))
  expect(verdict).toBe('undecided')
  expect(requests.sentAgain).toBeLessThanOrEqual(12)
})

const tenant = { 'X-Tenant': 'acme-0815' }
const wantsTenant = (status: number) => {
  const sound = reference()
  const seen: (string | null)[] = []
  const fetch: ServerFunction = async (request) => {
    if (!isServicePath(request)) seen.push(request.headers.get('X-Tenant'))
    else if (request.headers.get('X-Tenant') !== 'acme-0815') {
      return new Response('Which tenant? \u001b[31m Send X-Tenant.', { status })
    }
    return sound(request)
  }
  return { fetch, seen }
}

test('headers of a profile are sent to the service only, and appear in no output', async () => {
  const { fetch, seen } = wantsTenant(400)
  const result = await runOn(fetch, { profile: { headers: tenant, settleSeconds: 3 } })
  expect([result.verdict, result.settings.profile]).toEqual(['conforming', { settleSeconds: 3 }])
  expect(seen.length).toBeGreaterThan(2)
  expect(new Set(seen)).toEqual(new Set([null]))
  expect(JSON.stringify(result)).not.toContain('acme')
  expect(result.exchanges[3]?.requestHeaders['x-tenant']).toBe('***')
})

test('headers that are given for a run are sent', async () => {
  const { exchanges } = await runOn(wantsTenant(400).fetch, {
    headers: tenant,
    selects: (id: string) => id === 'workflow.name',
  })
  expect(exchanges.find(({ method }) => method === 'POST')?.status).toBe(201)
})

test.each([400, 403, 500])('a gateway that refuses everything with %d leaves the run undecided', async (status) => {
  const { verdict, checks, gaps } = await runOn(wantsTenant(status).fetch, { gaps: true })
  expect(verdict).toBe('undecided')
  expect(checks.filter((check) => check.verdict === 'fail')).toEqual([])
  const cause = checks.find((check) => check.verdict === 'inconclusive')?.message
  expect(cause).toContain(`answered ${status} ("Which tenant? ␛[31m Send X-Tenant.")`)
  expect(cause).toMatch(/gateway requires .*header/)
  // If everything is refused, only questions about calls without a key have an answer.
  expect(gaps.map(({ id }) => id)).toEqual(['gap.missing-key', 'gap.auth-scheme'])
})

test.each([
  ['No such account, ada@example.com', 'undecided'],
  ['unknown approver', 'undecided'],
  ['Approver not found', 'undecided'],
  ['The approver list is malformed', 'nonconforming'],
  ['Internal inconsistency', 'nonconforming'],
])('refusing every workflow with "%s" is %s', async (words, expected) => {
  const sound = reference()
  const { verdict } = await runOn(async (request) =>
    isCall(request, 'createWorkflow') && request.headers.has('Authorization')
      ? Response.json({ error: `approver: ${words}` }, { status: 422 })
      : sound(request),
  )
  expect(verdict).toBe(expected)
})
