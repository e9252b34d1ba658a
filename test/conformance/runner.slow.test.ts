import { expect, test } from 'vitest'
import { confirm, type Outcome } from '../../conformance/judging/judge.ts'
import type { Verdict } from '../../conformance/judging/verdict.ts'
import type { CheckResult } from '../../conformance/report/result.ts'
import { type RunOptions, run } from '../../conformance/run/runner.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import {
  bodyOf,
  changeAnswer,
  changeAnswers,
  problem,
  type ServerFunction,
  wrap,
} from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

const url = 'http://mock.test'

const runOn = (fetch: ServerFunction, more: Partial<RunOptions> = {}) =>
  run({ url, apiKey: 'test_runner', fetch, time: virtualTime(), ...more })

const reference = (): ServerFunction => createMock().fetch

const looked = { places: new Set<number>(), shared: new Set<number>(), steps: new Set<never>() }
const outcome = (verdict: Verdict, message: string): Outcome => ({ verdict, message, looked })

test.each([
  ['fail', 'It is wrong.', 'fail', false, /^It is wrong\.$/],
  ['pass', 'It is right.', 'inconclusive', true, /^Its attempts disagree\. First: It is wrong\. Then: It is right\.$/],
  ['inconclusive', 'GET /x got no answer.', 'inconclusive', false, /It is wrong\. Then: GET \/x got no answer\./],
  ['harness-error', 'TypeError: our fault', 'harness-error', false, /^TypeError: our fault$/],
] as const)('after a failure, %s (%s) is %s', (second, why, verdict, flaky, message) => {
  const judged = confirm(outcome('fail', 'It is wrong.'), outcome(second, why))
  expect(judged).toMatchObject({ verdict, flaky, message: expect.stringMatching(message) })
})

test('a deployment that fails only once does not fail a check', async () => {
  const mock = reference()
  let reads = 0
  const flickers: ServerFunction = async (request) => {
    const response = await mock(request)
    if (request.method !== 'GET' || !response.ok) return response
    reads += 1
    // Only the first two reads show the name in capitals.
    const text = await response.text()
    return new Response(reads <= 2 ? text.replace(/"name":"conf[^"]*"/, '"name":"ELSE"') : text, response)
  }
  const { verdict, checks: results } = await runOn(flickers, { gaps: false })
  expect(verdict).toBe('undecided')
  expect(results.find(({ id }) => id === 'workflow.name')).toMatchObject({ verdict: 'inconclusive', flaky: true })
})

test('a check fails on an answer to another check, and is reported', async () => {
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

test('the key is redacted in each result as it is reported', async () => {
  const key = 'test_cAnArY_9f8e7d6c5b4a3928171605'
  const shows = changeAnswer('getWorkflow', (body, request) => ({
    ...body,
    // Messages are cut in the middle of the key.
    description: `${'x'.repeat(180)}${request.headers.get('Authorization')}`,
  }))
  const told: CheckResult[] = []
  const onResult = (result: CheckResult) => void told.push(result)
  await runOn(shows(reference()), { apiKey: key, gaps: false, onResult })
  const failed = told.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed).toContain('workflow.description')
  expect(JSON.stringify(told)).not.toMatch(/cAnA|9f8e/)
})

test('every request is recorded, with the reason if it got no answer', async () => {
  const mock = reference()
  let sent = 0
  const loses: ServerFunction = async (request) => {
    sent += 1
    if (request.method === 'POST' && sent % 7 === 0) throw new TypeError('the line is cut for test_runner')
    return mock(request)
  }
  const { requests, exchanges } = await runOn(loses, { gaps: false })
  expect(exchanges.length).toBe(sent)
  expect(requests.sent).toBe(sent)
  const lost = exchanges.filter(({ status }) => status === undefined)
  expect(lost.length).toBeGreaterThan(2)
  expect(lost[0]).toMatchObject({ method: 'POST', failure: 'the line is cut for ***key***', responseBody: '' })
})

test('everything that the run created is listed once', async () => {
  const { leftBehind, exchanges } = await runOn(reference(), { gaps: false })
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

test('the reference answers all questions; without a PUT, those about it stay open', async () => {
  const sound = (await runOn(reference())).gaps
  expect(sound.length).toBeGreaterThan(50)
  expect(sound.filter(({ sameAsOurs }) => !sameAsOurs)).toEqual([])
  const withoutUrls = changeAnswers(['requestUpload'], ({ upload_url, ...rest }) => rest)
  const broken = (await runOn(withoutUrls(reference()))).gaps
  const isPut = ({ id }: { readonly id: string }) => id.startsWith('gap.storage-') || id.startsWith('gap.confirm-')
  expect([sound.filter(isPut).length > 8, broken.filter(isPut)]).toEqual([true, []])
})
