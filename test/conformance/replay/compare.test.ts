import { expect, test } from 'vitest'
import { compareRuns, compareSides, type SideRun, sideOfReplay } from '../../../conformance/replay/compare.ts'
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
  const text = 'It is accepted (201) by A, and accepted with another name (201) by B.'
  expect(rows).toMatchObject([{ text, calls: [/./, /./].map((any) => expect.stringMatching(any)) }])
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

/** A run that executes a workflow and reads it, and then reads another one. */
function executed(shown: object): SideRun {
  const run = reads(shown, { count: 1 })
  const [first, ...others] = run.calls
  const record = first?.[1].record
  if (!first || !record) throw new TypeError('There is a first read.')
  const execution = { ...record, method: 'POST', url: `${record.url}/execute`, responseBody: '{}' }
  return { ...run, calls: new Map([['execute', { outcome: 'accepted', record: execution }], first, ...others]) }
}

test('values of an executed workflow are not compared, since they move', () => {
  expect(compareSides(twice(executed({ count: 1 })), twice(executed({ count: 2 }))).rows).toEqual([])
})

/** A run that executes a workflow and reads it several times. */
function readAgain(...shown: readonly object[]): SideRun {
  const { calls, ...run } = reads(...shown, { count: 1 })
  const records = [...calls.values()].flatMap(({ record }) => record ?? [])
  const url = records[0]?.url ?? ''
  const same = records.map((record, at) => ({ record: at < shown.length ? { ...record, url } : record }))
  const execution = { record: { ...records[0], method: 'POST', url: `${url}/execute`, responseBody: '{}' } }
  const named = [execution, ...same].map((call, at) => [`call ${at}`, { outcome: 'accepted', ...call }] as const)
  return { ...run, calls: new Map(named as never) }
}

test('values of an executed workflow that stay the same are compared', () => {
  const texts = (one: SideRun, other: SideRun) => compareSides(twice(one), twice(other)).rows.map(({ text }) => text)
  const still = readAgain({ count: 1, ended: 0 }, { count: 1, ended: 1 })
  expect(texts(still, readAgain({ count: 2, ended: 0 }, { count: 2, ended: 1 }))).toEqual([
    '/count is 1 in the answer of A, and 2 in that of B.',
  ])
  expect(texts(still, readAgain({ count: 2, ended: 0 }, { count: 3, ended: 1 }))).toEqual([])
  expect(texts(still, readAgain({ count: 1, ended: 1 }, { count: 1, ended: 2 }))).toEqual([])
})

test('what only some reads since an execution show is no other shape', () => {
  const texts = (one: SideRun, other: SideRun) => compareSides(twice(one), twice(other)).rows.map(({ text }) => text)
  const ended = readAgain({ ended: [null, null] }, { ended: ['one', 'two'] })
  expect(texts(ended, readAgain({ ended: [null, null] }, { ended: ['one', null] }))).toEqual([])
  expect(texts(ended, readAgain({ ended: [null, null] }, { ended: [null, null] }))).toEqual([])
  const shape = 'Only B: /ended/* (number).'
  expect(texts(ended, readAgain({ ended: [7, 7] }, { ended: [7, 7] }))).toEqual([shape])
})

test('what differs in the same calls is one row, without the parts of what is missing', () => {
  const plain = reads({ first: 1, list: [{ a: 1 }] }, { list: [{ a: 1 }] }, { other: 1 })
  const wrapped = reads({ first: 1, data: { a: 1 } }, { data: { a: 1 } }, { other: 1, last: 1 })
  const { rows } = compareSides(twice(plain), twice(wrapped))
  expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    expect.stringMatching(/ and 1 more call: Only A: \/list \(list\)\. Only B: \/data \(object\)\.$/),
    expect.stringMatching(/: Only B: \/last \(number\)\.$/),
  ])
  expect(rows.map(({ calls = [] }) => calls.length)).toEqual([2, 0])
})

test.each([
  [true, ['A', 'A ended', 'B', 'B ended']],
  [false, ['A', 'B', 'A ended', 'B ended']],
])('two sides run at the same time, unless they are one deployment (%s)', async (isInTurn, order) => {
  const seen: string[] = []
  const runs = (name: string) => async () => {
    seen.push(name)
    await Promise.resolve()
    seen.push(`${name} ended`)
    return twice(reads({ a: 1 }))
  }
  await compareRuns(runs('A'), runs('B'), { isInTurn })
  expect(seen).toEqual(order)
})

test('a figure in another range is a difference, also right after an execution', () => {
  const shown = (one: object, other: object) =>
    compareSides([executed(one), executed(one)], twice(executed(other))).rows.map(({ word, text }) => [word, text])
  expect(shown({ mean_duration: 3.2 }, { mean_duration: -1.5 })).toEqual([
    ['value', '/mean_duration is at least 0 in the answer of A, and below 0 in that of B.'],
  ])
  expect(shown({ success_rate: 0.5 }, { success_rate: 1.7 })).toEqual([
    ['value', '/success_rate is between 0 and 1 in the answer of A, and between 1 and 100 in that of B.'],
  ])
  expect(shown({ success_rate: 60 }, { success_rate: '250' }).map(([, text]) => text)).toContain(
    '/success_rate is between 1 and 100 in the answer of A, and above 100 in that of B.',
  )
  expect(shown({ success_rate: 0, mean: 0.5 }, { success_rate: 1, mean: 3 })).toEqual([])
})

test('another number of items is a difference, also right after an execution', () => {
  const of = (count: number) => executed({ executions: Array.from({ length: count }, (_, at) => ({ at })) })
  expect(compareSides(twice(of(1)), twice(of(2))).rows.map(({ text }) => text)).toEqual([
    '/executions is a list of 1 in the answer of A, and a list of 2 in that of B.',
  ])
  expect(compareSides([of(1), of(2)], twice(of(3))).rows).toEqual([])
})

test('a value that only one side shows as it was sent is a difference', () => {
  const shown = (description: string): SideRun => {
    const run = reads({ description }, { description: `${description}!` })
    const record = run.calls.get('read 1')?.record
    if (!record) throw new TypeError('There is a first read.')
    const sent = (text: string) => ({ ...record, method: 'POST', requestBody: JSON.stringify({ description: text }) })
    const [one, other] = [sent('Sent 1.'), sent('Sent 1.!')]
    return { ...run, calls: new Map([['one', { record: one }], ['other', { record: other }], ...run.calls]) }
  }
  const texts = (one: string, other: string) =>
    compareSides(twice(shown(one)), twice(shown(other))).rows.map(({ text }) => text)
  expect(texts('Sent 1.', 'Sent 1.')).toEqual([])
  expect(texts('Sent 1.', 'Else 2.')).toContain(
    '/description is as it was sent in the answer of A, and another value than was sent in that of B.',
  )
  expect(texts('Made 3.', 'Else 2.')).toEqual([])
})

test('identifiers are not compared, even if one of them has no digit', () => {
  const [one, other] = [reads({ id: 'wfe_a1B' }, { id: 'wfe_c2D' }), reads({ id: 'wfe_abC' }, { id: 'wfe_e3F' })]
  expect(compareSides(twice(one), twice(other)).rows).toEqual([])
})

test('identifiers of another form are a difference', () => {
  const texts = (...ids: readonly [string, string, string, string]) =>
    compareSides(twice(reads({ id: ids[0] }, { id: ids[1] })), twice(reads({ id: ids[2] }, { id: ids[3] }))).rows.map(
      ({ text }) => text,
    )
  const [one, other] = ['0d9c3f0e-7a51-4c3b-9d0e-2f6f2f0f4a11', '5b1f7a60-2c44-4f0e-8f5d-9a3f1c2b7e90']
  const [counted, next] = ['wf_1041', 'wf_1042']
  expect(texts(one, other, counted, next)).toEqual([
    '/id is a UUID in the answer of A, and a text of up to 8 characters in that of B.',
  ])
  expect(texts(counted, next, 'ex_2041', 'ex_2042')).toEqual([
    '/id is a text that begins with wf_ in the answer of A, and a text that begins with ex_ in that of B.',
  ])
  expect(texts('tenants/7/a.pdf', 'tenants/7/b.pdf', 'files/7/a.pdf', 'files/7/b.pdf')).toEqual([
    '/id is a path in tenants/ in the answer of A, and a path in files/ in that of B.',
  ])
  expect(texts(counted, next, 'wf_9', 'wf_10')).toHaveLength(1)
  const random = [reads({ id: 'k3-x' }, { id: '9a_f' }), reads({ id: 'q-1f' }, { id: 'h_2b' })]
  expect(compareSides(random, twice(reads({ id: 'q-7c' }, { id: 'q-9e' }))).rows).toEqual([])
})

test('a value beside another one than it was sent with is a difference', () => {
  const steps = [
    { step_id: 'legal', name: 'Legal review', order: 1, estimated_duration: 60 },
    { step_id: 'board', name: 'Board review', order: 2, estimated_duration: 90 },
  ]
  const shown = (names: readonly (string | undefined)[], all: object = {}): SideRun => {
    const run = reads({ list: steps.map((step, at) => ({ ...step, name: names[at], ...all })) }, {})
    const record = run.calls.get('read 1')?.record
    if (!record) throw new TypeError('There is a first read.')
    const sent = { ...record, method: 'POST', requestBody: JSON.stringify({ steps }) }
    return { ...run, calls: new Map([['create', { record: sent }], ...run.calls]) }
  }
  const [sound, mixed] = [shown(['Legal review', 'Board review']), shown(['Board review', 'Legal review'])]
  expect(compareSides(twice(sound), twice(mixed)).rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'read 1: /list/*/name is beside the same values as in the request in the answer of A, and beside other values in that of B.',
  ])
  expect(compareSides(twice(sound), twice(sound)).rows).toEqual([])
  // What only one side shows says nothing of what stands beside it.
  const bare = { step_id: undefined, order: undefined }
  const missing = compareSides(twice(sound), twice(shown(['Board review', 'Legal review'], bare)))
  expect(missing.rows.map(({ text }) => text)).toEqual([
    '/list/*/name, /list/*/estimated_duration are beside the same values as in the request in the answer of A, and beside other values in that of B.',
    'Only A: /list/*/step_id (string), /list/*/order (number).',
  ])
  const nameless = compareSides(twice(mixed), twice(shown([undefined, undefined])))
  expect(nameless.rows.map(({ text }) => text)).toEqual(['Only A: /list/*/name (string).'])
})

test('values of one object that differ at one call are one row', () => {
  const shown = (...first: number[]) => reads(...[first, [7, 7, 7]].map(([a, b, c]) => ({ of: { a, b }, c })))
  expect(compareSides(twice(shown(1, 1, 1)), twice(shown(2, 2, 2))).rows.map(({ text }) => text)).toEqual([
    '/c is 1 in the answer of A, and 2 in that of B.',
    '/of/a, /of/b are 1 in the answer of A, and 2 in that of B.',
  ])
  expect(compareSides(twice(shown(1, 2, 1)), twice(shown(3, 4, 1))).rows.map(({ text }) => text)).toEqual([
    '/of/a is 1 in the answer of A, and 3 in that of B. /of/b is 2 in the answer of A, and 4 in that of B.',
  ])
})

test('the same change in the answers to several questions is one row', () => {
  const answering = (status: number): SideRun => ({
    ...run(200, {}),
    gaps: (
      [
        ['gap.max-steps', `no steps: status ${status}`],
        ['gap.priorities', `priority low: accepted, priority urgent: status ${status}`],
        ['gap.error-codes', status === 400 ? 'invalid-request' : 'no code'],
      ] as const
    ).map(([id, observed]) => ({ id, observed, sameAsOurs: false })),
  })
  expect(compareSides([answering(400)], [answering(422)]).rows.map(({ name, calls }) => [name, calls])).toEqual([
    ['gap.max-steps and 1 more question', ['gap.max-steps', 'gap.priorities']],
    ['gap.error-codes', undefined],
  ])
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
