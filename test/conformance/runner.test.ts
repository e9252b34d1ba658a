import { expect, test } from 'vitest'
import { type Check, fail, pass } from '../../conformance/check.ts'
import { TransportError } from '../../conformance/exchange.ts'
import type { CheckResult } from '../../conformance/result.ts'
import { type RunOptions, run, runChecks } from '../../conformance/runner.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { bodyOf, changeAnswer, type Fetch, problem, wrap } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

const url = 'http://mock.test'

const runOn = (fetch: Fetch, more: Partial<RunOptions> = {}) =>
  run({ url, apiKey: 'test_runner', fetch, time: virtualTime(), ...more })

const reference = (): Fetch => createMock().fetch

/** What one check comes to that sees something else each time, and is the only one. */
async function comesTo(...sights: (() => ReturnType<Check['run']>)[]): Promise<CheckResult | undefined> {
  let looks = 0
  const look = () => sights[Math.min(looks++, sights.length - 1)]?.() as ReturnType<Check['run']>
  const target = { url, apiKey: 'test_runner', fetch: reference(), time: virtualTime(), gaps: false }
  return (await runChecks([{ id: 'workflow.name', run: look }], target)).checks[0]
}

const fails = async () => fail('It is wrong.')
const noAnswer = async () => {
  throw new TransportError('GET /x', 'ECONNREFUSED')
}

test('a failure that is seen three times is one', async () => {
  expect(await comesTo(fails)).toMatchObject({ verdict: 'fail', flaky: false, message: 'It is wrong.' })
})

test('a failure that is not seen again is flaky, and decides nothing', async () => {
  const found = await comesTo(fails, fails, async () => pass('It is right.'))
  expect(found).toMatchObject({ verdict: 'inconclusive', flaky: true })
  expect(found?.message).toBe('Its tries disagree: It is wrong. Then: It is right.')
})

test('a failure that could not be looked at again decides nothing, and is not flaky', async () => {
  const found = await comesTo(fails, noAnswer)
  expect(found).toMatchObject({ verdict: 'inconclusive', flaky: false })
  expect(found?.message).toContain('It is wrong. Then: GET /x got no answer: ECONNREFUSED.')
})

test('an error of the suite at the second look is told as one', async () => {
  const broken = async () => {
    throw new TypeError('our fault')
  }
  expect(await comesTo(fails, broken)).toMatchObject({ verdict: 'harness-error', message: 'TypeError: our fault' })
})

test('a check fails on what only another check meets, and is told', async () => {
  const unreadable = new Set<string>()
  const loses = wrap(async (request, inner) => {
    const sent = await bodyOf(request)
    const response = await inner(request)
    if (request.method === 'POST' && request.url.endsWith('/workflows') && sent && !('isSequential' in sent)) {
      unreadable.add((await response.clone().json()).workflow_id)
    }
    return request.method === 'GET' && [...unreadable].some((id) => request.url.endsWith(id)) ? problem(404) : response
  })
  const told = new Map<string, string>()
  const onResult = ({ id, verdict }: CheckResult) => void told.set(id, verdict)
  const { verdict, checks: results } = await runOn(loses(reference()), { gaps: false, maxMs: 1e9, onResult })
  expect(verdict).toBe('nonconforming')
  const failed = results.filter((check) => check.verdict === 'fail')
  expect(failed.map(({ id }) => id)).toEqual(['get-workflow.method-and-path'])
  expect(failed[0]?.message).toContain('answered 404')
  expect(told.get('get-workflow.method-and-path')).toBe('fail')
})

test('the key is masked in each result as it is told', async () => {
  const key = 'test_cAnArY_9f8e7d6c5b4a3928171605'
  const shows = changeAnswer('getWorkflow', (body, request) => ({
    ...body,
    // Messages are cut within the key.
    description: `${'x'.repeat(180)}${request.headers.get('Authorization')}`,
  }))
  const told: CheckResult[] = []
  const onResult = (result: CheckResult) => void told.push(result)
  await runOn(shows(reference()), { apiKey: key, gaps: false, onResult })
  const failed = told.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toContain('workflow.description')
  expect(JSON.stringify(told)).not.toMatch(/cAnA|9f8e/)
})

test('an error of the suite at an open question is noted, and the verdict stays', async () => {
  const mock = reference()
  const throwing: Fetch = async (request) => {
    const response = await mock(request)
    // Nothing but the question about the authentication scheme asks for this path and looks at a header.
    if (request.url.endsWith('/workflows/conformance')) {
      response.headers.get = () => {
        throw new TypeError('our fault')
      }
    }
    return response
  }
  const { verdict, gaps, notes } = await runOn(throwing)
  expect(verdict).toBe('conforming')
  expect(notes.join('\n')).toContain('gap.auth-scheme, which is a fault of ours: TypeError: our fault')
  expect(gaps.length).toBeGreaterThan(30)
})

test('every request that was sent is recorded, and why one got no answer', async () => {
  const mock = reference()
  let sent = 0
  const loses: Fetch = async (request) => {
    sent += 1
    if (request.method === 'POST' && sent % 7 === 0) throw new TypeError('the line is cut for test_runner')
    return mock(request)
  }
  const { requests, exchanges } = await runOn(loses)
  expect(exchanges.length).toBe(sent)
  expect(requests.sent).toBe(sent)
  const lost = exchanges.filter(({ status }) => status === undefined)
  expect(lost.length).toBeGreaterThan(2)
  expect(lost[0]).toMatchObject({ method: 'POST', failure: 'the line is cut for ***', responseBody: '' })
})

test('what the run made is listed, each thing once', async () => {
  const { leftBehind, exchanges } = await runOn(reference())
  const answered = (method: string, path: RegExp, status: number) =>
    exchanges.filter((one) => one.method === method && path.test(one.url) && one.status === status)
  const listed = (kind: string) => leftBehind.filter((thing) => thing.startsWith(`${kind} `))
  const places = new Set(answered('PUT', /./, 200).map((one) => one.url.split('?')[0]))
  expect(new Set(leftBehind).size).toBe(leftBehind.length)
  expect(listed('workflow').length).toBe(answered('POST', /workflows$/, 201).length)
  expect(listed('execution').length).toBe(answered('POST', /execute$/, 202).length)
  expect(listed('object').map((thing) => thing.split(' ')[1])).toEqual([...places])
  expect(listed('document').length).toBeGreaterThan(1)
})
