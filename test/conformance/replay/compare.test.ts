import { expect, test } from 'vitest'
import { compareSides, type SideRun, sideOfReplay } from '../../../conformance/replay/compare.ts'
import { createMock } from '../../../src/index.ts'
import { replayOn } from './replay.ts'

/** A run with one call. */
function run(status: number, json: unknown): SideRun {
  const record = {
    ...{ method: 'GET', url: 'http://a.test/x', requestHeaders: {}, responseHeaders: {}, durationMs: 1 },
    ...{ status, responseBody: JSON.stringify(json) },
  }
  const outcome = status < 300 ? 'accepted' : 'refused'
  return { checks: [], gaps: [], exchanges: [], calls: new Map([['read', { outcome, record }]]), runId: '' }
}

test('another outcome is a difference of meaning, with both exchanges', () => {
  const { rows } = compareSides([run(200, {})], [run(404, { error: 'No.' })])
  expect(rows.map(({ name, word, text }) => [name, word, text])).toEqual([
    ['read', 'meaning', 'It is accepted (200) by A, and refused (404) by B.'],
  ])
  expect(rows[0]?.exchanges.map(({ label }) => label)).toEqual(['A', 'B'])
})

test('another shape is a difference, whatever the values are', () => {
  expect(compareSides([run(200, { id: 'a', list: [1] })], [run(200, { id: 'b', list: [2, 3] })]).rows).toEqual([])
  const { rows } = compareSides([run(200, { id: 'a' })], [run(201, { id: 1 })])
  expect(rows.map(({ word, text }) => [word, text])).toEqual([
    ['shape', 'Only A: status 200, /id (string). Only B: status 201, /id (number).'],
  ])
})

test('what differs between two runs of one side is noise', () => {
  const restless = [run(200, { a: 1 }), run(200, { b: 1 })]
  expect(compareSides(restless, [run(200, { a: 1 }), run(200, { a: 1 })]).rows).toEqual([])
  const flaky = [run(200, {}), run(404, {})]
  expect(compareSides(flaky, [run(404, {}), run(404, {})])).toMatchObject({ rows: [], noise: 1 })
})

test('unique names of one side are a difference, but not beside a recording', async () => {
  const [open, inner, taken] = [createMock().fetch, createMock().fetch, new Set<string>()]
  const unique = async (request: Request) => {
    if (!request.url.endsWith('/workflows') || !request.headers.has('authorization')) return inner(request)
    const { name } = (await request.clone().json()) as { name: string }
    if (taken.has(name)) return Response.json({ error: 'Taken.' }, { status: 409 })
    taken.add(name)
    return inner(request)
  }
  await replayOn(unique)
  const [one, other] = [await replayOn(open), await replayOn(unique)]
  const { rows } = compareSides([sideOfReplay(one, 'now')], [sideOfReplay(other, 'now')])
  expect(rows.map(({ text }) => text)).toEqual([
    'It is accepted (201) by A, and accepted with another name (201) by B.',
    'It is accepted (201) by A, and accepted with another name (201) by B.',
  ])
  const recorded = sideOfReplay(one, 'recorded')
  expect(compareSides([recorded], [sideOfReplay(other, 'now', { isBesideRecording: true })]).rows).toEqual([])
})

/** A run of two reads, each of a workflow's details. */
function reads(...bodies: readonly unknown[]): SideRun {
  const calls = bodies.map((body, index) => {
    const record = {
      ...{ method: 'GET', url: `http://a.test/api/v1/workflows/w${index}`, requestHeaders: {}, responseHeaders: {} },
      ...{ durationMs: 1, status: 200, responseBody: JSON.stringify(body) },
    }
    return [`read ${index + 1}`, { outcome: 'accepted', record }] as const
  })
  return { checks: [], gaps: [], exchanges: [], calls: new Map(calls), runId: '' }
}

const stepsOf = (...states: readonly string[]) => ({ steps: states.map((state) => ({ state })) })
const twice = (run: SideRun) => [run, run]

test('another value is a difference if the sides agree at its place elsewhere', () => {
  const sound = twice(reads(stepsOf('open', 'next'), stepsOf('open', 'open')))
  const faulty = twice(reads(stepsOf('next', 'open'), stepsOf('open', 'open')))
  expect(compareSides(sound, faulty).rows.map(({ name, word, text }) => [name, word, text])).toEqual([
    [...['read 1', 'value'], '/steps/*/state is "open", "next" in the answer of A, and "next", "open" in that of B.'],
  ])
  const worded = twice(reads(stepsOf('offen', 'wartet'), stepsOf('offen', 'offen')))
  expect(compareSides(sound, worded).rows).toEqual([])
})

test('values that change within a side, and those of a single run, are no difference', () => {
  const [one, other] = [reads({ count: 1 }, { count: 1 }), reads({ count: 2 }, { count: 1 })]
  expect(compareSides([one, one], [other, other]).rows.map(({ word }) => word)).toEqual(['value'])
  expect(compareSides([one], [other]).rows).toEqual([])
  const restless = reads({ count: 1 }, { count: 3 })
  expect(compareSides([one, restless], [other, other]).rows).toEqual([])
})

test('reads of an executed workflow are not compared, since their values move', () => {
  const executed = (count: number): SideRun => {
    const run = reads({ count }, { count: 1 })
    const [first, ...others] = run.calls
    const record = first?.[1].record
    if (!first || !record) throw new TypeError('There is a first read.')
    const execution = { ...record, method: 'POST', url: `${record.url}/execute`, responseBody: '{}' }
    return { ...run, calls: new Map([['execute', { outcome: 'accepted', record: execution }], first, ...others]) }
  }
  expect(compareSides(twice(executed(1)), twice(executed(2))).rows).toEqual([])
})

test('identifiers are not compared, even if one of them has no digit', () => {
  const [one, other] = [reads({ id: 'wfe_a1B' }, { id: 'wfe_c2D' }), reads({ id: 'wfe_abC' }, { id: 'wfe_e3F' })]
  expect(compareSides(twice(one), twice(other)).rows).toEqual([])
})

test('answers to different requests are not compared', () => {
  const sending = (duration: number): SideRun => {
    const run = reads({ duration }, { duration: 1 })
    const [first, ...others] = run.calls
    const record = first?.[1].record
    if (!first || !record) throw new TypeError('There is a first read.')
    const sent = { ...record, requestBody: JSON.stringify({ duration }) }
    return { ...run, calls: new Map([[first[0], { outcome: 'accepted', record: sent }], ...others]) }
  }
  expect(compareSides(twice(sending(6)), twice(sending(12))).rows).toEqual([])
})

test('times, means and chosen approvers are never compared', () => {
  const shown = (at: string, mean: number, to: string) => reads({ at, mean, to }, { at: 'never', mean: 0, to: '' })
  const [one, other] = [
    shown('2026-03-01T09:00:00Z', 1.5, 'a@corp.example'),
    shown('2026-03-01T09:01:00Z', 1.7, 'b@corp.example'),
  ]
  expect(compareSides(twice(one), twice(other)).rows).toEqual([])
})

test('a call that one side refuses says so, whatever else is shown', () => {
  const unnamed = (run: SideRun): SideRun => ({
    ...run,
    calls: new Map([...run.calls].map(([name, { record }]) => [name, record ? { record } : {}])),
  })
  const { rows } = compareSides([unnamed(run(403, { error: 'No.' }))], [unnamed(run(200, { id: 1 }))])
  expect(rows.map(({ word, text }) => [word, text])).toEqual([
    ['meaning', 'It is refused (403) by A, and accepted (200) by B.'],
  ])
})
