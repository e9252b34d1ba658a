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
