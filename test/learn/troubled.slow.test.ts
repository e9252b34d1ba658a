import { expect, test } from 'vitest'
import { parallelTime } from '../../conformance/selftest/parallel-time.ts'
import { isServicePath } from '../../conformance/selftest/wrapper.ts'
import { longestBody } from '../../conformance/wire/record.ts'
import { createMock } from '../../src/index.ts'
import { learnedContract, readContract } from '../../src/learn/contract.ts'
import { learned } from './lessons.ts'

const page = '<!DOCTYPE html>\n<title>Error</title><pre>SyntaxError: Unexpected token</pre>\n'
const tooMany = () => new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
const quick = { gaps: false }

test('a gateway that limits calls and refuses malformed JSON with a page is learned', async () => {
  const inner = createMock({ clockSpeed: 0 }).fetch
  const passed = new Map<number, number>()
  const { time, fetch } = parallelTime(async (request) => {
    const second = Math.floor(time.now() / 1000)
    passed.set(second, (passed.get(second) ?? 0) + 1)
    if ((passed.get(second) ?? 0) > 10) return tooMany()
    const isJson = await request
      .clone()
      .json()
      .then(Boolean, () => false)
    const answer = await inner(request)
    if (answer.status !== 400 || !isServicePath(request) || isJson) return answer
    return new Response(page, { status: 400, headers: { 'Content-Type': 'text/html' } })
  })
  const { profile, lesson, missed, likeness } = await learned(fetch, { ...quick, time })
  expect(JSON.stringify(profile.refusals?.['invalid-json'])).toContain('SyntaxError')
  expect(JSON.stringify(learnedContract(await readContract(), profile, lesson).contract)).toContain('SyntaxError')
  expect(missed).toEqual([])
  expect(likeness?.places).toBeGreaterThan(500)
})

test('answers that are too long for a run are left out, and it is said', async () => {
  const inner = createMock({ clockSpeed: 0 }).fetch
  const { profile, lesson, missed } = await learned(async (request) => {
    const answer = await inner(request)
    const text = isServicePath(request) ? await answer.clone().text() : ''
    if (text === '') return answer
    const body = JSON.stringify({ ...JSON.parse(text), padding: 'x'.repeat(250_000) })
    return new Response(body, { status: answer.status, headers: { 'Content-Type': 'application/json' } })
  }, quick)
  expect(Object.keys(profile.answers ?? {})).toContain('createWorkflow')
  const why = `an answer has more than ${longestBody} characters, and was left out`
  expect(lesson.guesses.map((guess) => guess.why)).toContain(why)
  expect(new Set(missed)).toEqual(new Set(['the answers have more than 33554432 bytes in all']))
})

test('a deployment that lets no more calls pass yields what was learned by then', async () => {
  const inner = createMock({ clockSpeed: 0 }).fetch
  let calls = 0
  const { profile, likeness, missed } = await learned(async (request) => {
    calls += 1
    return calls > 200 ? tooMany() : inner(request)
  }, quick)
  expect(Object.keys(profile.answers ?? {})).toContain('executeWorkflow')
  expect(likeness).toBeUndefined()
  expect(missed).toContain('the deployment answers 429, and asks to wait 1 s; send fewer requests per second')
})
