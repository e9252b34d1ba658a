import { expect, test } from 'vitest'
import { parallelTime } from '../../conformance/selftest/parallel-time.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { isServicePath, type ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { longestBody } from '../../conformance/wire/record.ts'
import { createMock } from '../../src/index.ts'
import { learnedContract, readContract } from '../../src/learn/contract.ts'
import { type LearnOptions, learnDeployment } from '../../src/learn/learn-deployment.ts'
import { freshKey } from '../support/service.ts'

/** Learns a deployment whose answers `change` replaces, and makes its contract, as the command does. */
async function learned(
  change: (request: Request, answer: Response) => Response | Promise<Response>,
  more: object = {},
) {
  const mock = createMock({ clockSpeed: 0 })
  const fetch: ServerFunction = async (request) => change(request.clone(), await mock.fetch(request))
  const options: LearnOptions = {
    ...{ url: 'http://there.test', apiKey: freshKey(), fetch, time: virtualTime(), gaps: false, onStage: () => {} },
    ...more,
  }
  const found = await learnDeployment(options)
  return { ...found, ...learnedContract(await readContract(), found.profile, found.lesson) }
}

test('a gateway that refuses malformed JSON with a page is learned', async () => {
  const page = '<!DOCTYPE html>\n<title>Error</title><pre>SyntaxError: Unexpected token</pre>\n'
  const isJson = async (request: Request) => request.json().then(Boolean, () => false)
  const { profile, contract, likeness } = await learned(async (request, answer) =>
    answer.status === 400 && isServicePath(request) && !(await isJson(request))
      ? new Response(page, { status: 400, headers: { 'Content-Type': 'text/html' } })
      : answer,
  )
  expect(JSON.stringify(profile.refusals?.['invalid-json'])).toContain('SyntaxError')
  expect(JSON.stringify(contract)).toContain('SyntaxError')
  expect(likeness?.places).toBeGreaterThan(500)
})

test('answers that are too long for a run are left out, and it is said', async () => {
  const { profile, lesson, missed } = await learned(async (request, answer) => {
    if (!isServicePath(request)) return answer
    const text = await answer.text()
    if (text === '') return answer
    const body = JSON.stringify({ ...JSON.parse(text), padding: 'x'.repeat(250_000) })
    return new Response(body, { status: answer.status, headers: { 'Content-Type': 'application/json' } })
  })
  expect(Object.keys(profile.answers ?? {})).toContain('createWorkflow')
  expect(lesson.guesses.map(({ why }) => why)).toContain(
    `an answer has more than ${longestBody} characters, and was left out`,
  )
  expect(new Set(missed)).toEqual(new Set(['the answers have more than 33554432 bytes in all']))
})

test('a deployment that lets no more calls pass yields what was learned by then', async () => {
  let calls = 0
  const throttled = new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
  const { profile, likeness, missed } = await learned((_, answer) => {
    calls += 1
    return calls > 200 ? throttled.clone() : answer
  })
  expect(Object.keys(profile.answers ?? {})).toContain('executeWorkflow')
  expect(likeness).toBeUndefined()
  expect(missed).toContain('the deployment answers 429, and asks to wait 1 s; send fewer requests per second')
})

test('a deployment that limits its calls is learned whole', async () => {
  const inner = createMock({ clockSpeed: 0 }).fetch
  const passed = new Map<number, number>()
  const { time, fetch } = parallelTime(async (request) => {
    const second = Math.floor(time.now() / 1000)
    passed.set(second, (passed.get(second) ?? 0) + 1)
    if ((passed.get(second) ?? 0) <= 10) return inner(request)
    return new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
  })
  const { missed, likeness } = await learned((_, answer) => answer, { fetch, time })
  expect(missed).toEqual([])
  expect(likeness?.places).toBeGreaterThan(500)
})
