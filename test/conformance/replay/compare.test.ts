import { expect, test } from 'vitest'
import type { CheckResult } from '../../../conformance/judging/judge-run.ts'
import { compareRuns, compareSides, type SideRun, sideOfReplay } from '../../../conformance/replay/compare.ts'
import { createMock } from '../../../src/index.ts'
import { replayOn } from './replay.ts'

/** The path of a workflow. */
const workflow = (number: number) => `http://a.test/api/v1/workflows/w${number}`

/** A call, which reads a workflow unless `more` says otherwise. */
const call = (json: unknown, more: object = {}, status = 200) => ({
  outcome: status < 300 ? ('accepted' as const) : ('refused' as const),
  record: {
    ...{ method: 'GET', url: workflow(0), requestHeaders: {}, responseHeaders: {}, durationMs: 1 },
    ...{ status, responseBody: JSON.stringify(json), ...more },
  },
})
type Call = Partial<ReturnType<typeof call>>

/** A run with these calls. */
const run = (...calls: readonly Call[]): SideRun => ({
  ...{ checks: [], gaps: [], exchanges: [], runId: '' },
  calls: new Map(calls.map((one, index) => [`call ${index + 1}`, one])),
})

/** Calls that each read the details of another workflow. */
const readsOf = (bodies: readonly unknown[]) => bodies.map((body, index) => call(body, { url: workflow(index) }))
const reads = (...bodies: readonly unknown[]) => run(...readsOf(bodies))

const sending = (body: object) => call({}, { method: 'POST', requestBody: JSON.stringify(body) })
const execution = call({}, { method: 'POST', url: `${workflow(0)}/execute` })
/** A run that executes a workflow and reads it, and then reads another one. */
const executed = (shown: object) => run(execution, ...readsOf([shown, { count: 1 }]))
/** A run that executes a workflow and reads it several times. */
const readAgain = (...shown: readonly object[]) =>
  run(execution, ...shown.map((one) => call(one)), call({ count: 1 }, { url: workflow(1) }))

const stepsOf = (...states: readonly string[]) => ({ steps: states.map((state) => ({ state })) })
const ids = (...all: readonly string[]) => reads(...all.map((id) => ({ id })))
const twice = (run: SideRun) => [run, run]
type Side = SideRun | readonly SideRun[]
/** Returns what differs between the runs of two sides, or between two runs of each that are alike. */
const rowsOf = (...sides: readonly [Side, Side]) => {
  const [one, other] = sides.map((side) => ('calls' in side ? twice(side) : side)) as [SideRun[], SideRun[]]
  return compareSides(one, other).rows.map(({ word, name, text }) => `${word} at ${name}: ${text}`)
}
const beside = (one: unknown, other: unknown) => `${one} in the answer of A, and ${other} in that of B.`

test('another outcome is a difference of meaning, with both exchanges', () => {
  const sides = [[run(call({}))], [run(call({ error: 'No.' }, {}, 404))]] as const
  expect(rowsOf(...sides)).toEqual(['meaning at call 1: It is accepted (200) by A, and refused (404) by B.'])
  expect(compareSides(...sides).rows[0]?.exchanges.map(({ label }) => label)).toEqual(['A', 'B'])
})

const [plain, counted] = [reads({ a: 1 }), reads({ b: 1 })]
const [ones, twos] = [reads({ count: 1 }, { count: 1 }), reads({ count: 2 }, { count: 1 })]
const items = (count: number) => executed({ executions: Array.from({ length: count }, (_, at) => ({ at })) })

test('an outcome that differs within a side is noise', () => {
  const [sound, refused] = [run(call({})), run(call({}, {}, 404))]
  expect(compareSides([sound, refused], twice(refused))).toMatchObject({ rows: [], noise: 1 })
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
  expect(rowsOf([recorded], [sideOfReplay(other, 'now', { isBesideRecording: true })])).toEqual([])
})

const still = readAgain({ count: 1, ended: 0 }, { count: 1, ended: 1 })
const ended = (...last: readonly unknown[]) => readAgain({ ended: [null, null] }, { ended: last })
const described = (text: string) =>
  run(
    sending({ description: 'Sent 1.' }),
    sending({ description: 'Sent 1.!' }),
    ...readsOf([{ description: text }, { description: `${text}!` }]),
  )
const [uuids, numbered] = [
  ids('0d9c3f0e-7a51-4c3b-9d0e-2f6f2f0f4a11', '5b1f7a60-2c44-4f0e-8f5d-9a3f1c2b7e90'),
  ids('wf_1041', 'wf_1042'),
]
const shares = (...first: readonly number[]) => reads(...[first, [7, 7, 7]].map(([a, b, c]) => ({ of: { a, b }, c })))
const timed = (at: string, mean: number, to: string) => reads({ at, mean, to }, { at: 'never', mean: 0, to: '' })
const sends = (duration: number) =>
  run(call({ duration }, { requestBody: JSON.stringify({ duration }) }), call({ duration: 1 }, { url: workflow(1) }))

const steps = [
  { step_id: 'legal', name: 'Legal review', order: 1, estimated_duration: 60 },
  { step_id: 'board', name: 'Board review', order: 2, estimated_duration: 90 },
]
/** Shows the steps that were sent under other names. */
const stepsNamed = (names: readonly (string | undefined)[], all: object = {}) =>
  run(sending({ steps }), ...readsOf([{ list: steps.map((step, at) => ({ ...step, name: names[at], ...all })) }, {}]))
const [sound, mixed] = [stepsNamed(['Legal review', 'Board review']), stepsNamed(['Board review', 'Legal review'])]
const bare = stepsNamed(['Board review', 'Legal review'], { step_id: undefined, order: undefined })
const asSent = beside('beside the same values as in the request', 'beside other values')

test.each<[what: string, one: Side, other: Side, ...differences: (string | RegExp)[]]>([
  ['other values in the same shape', [run(call({ id: 'a', list: [1] }))], [run(call({ id: 'b', list: [2, 3] }))]],
  [
    'another shape and status',
    [run(call({ id: 'a' }))],
    [run(call({ id: 1 }, {}, 201))],
    'shape at call 1: Only A: status 200, /id (string). Only B: status 201, /id (number).',
  ],
  ['a shape that differs within a side', [plain, counted], plain],
  [
    'a refusal without an outcome',
    [run({ record: call({ error: 'No.' }, {}, 403).record })],
    [run({ record: call({ id: 1 }).record })],
    'meaning at call 1: It is refused (403) by A, and accepted (200) by B.',
  ],
  ['values of two runs each', ones, twos, `value at call 1: /count is ${beside(1, 2)}`],
  ['values of single runs', [ones], [twos]],
  ['a value that changes within a side', [ones, reads({ count: 1 }, { count: 3 })], twos],
  [
    'another number of items after an execution',
    items(1),
    items(2),
    `value at call 2: /executions is ${beside('a list of 1', 'a list of 2')}`,
  ],
  ['a number of items that changes within a side', [items(1), items(2)], items(3)],
  ['identifiers of random forms', [ids('k3-x', '9a_f'), ids('q-1f', 'h_2b')], ids('q-7c', 'q-9e')],
  [
    'values where the sides agree elsewhere',
    reads(stepsOf('open', 'next'), stepsOf('open', 'open')),
    reads(stepsOf('next', 'open'), stepsOf('open', 'open')),
    `value at call 1: /steps/*/state is ${beside('"open", "next"', '"next", "open"')}`,
  ],
  [
    'other words',
    reads(stepsOf('open', 'next'), stepsOf('open', 'open')),
    reads(stepsOf('offen', 'wartet'), stepsOf('offen', 'offen')),
  ],
  ['a value after an execution, which moves', executed({ count: 1 }), executed({ count: 2 })],
  [
    'a value that stays after an execution',
    still,
    readAgain({ count: 2, ended: 0 }, { count: 2, ended: 1 }),
    `value at call 2: /count is ${beside(1, 2)}`,
  ],
  ['a value that moves after an execution', still, readAgain({ count: 2, ended: 0 }, { count: 3, ended: 1 })],
  ['values that move on both sides', still, readAgain({ count: 1, ended: 1 }, { count: 1, ended: 2 })],
  ['what only some reads show', ended('one', 'two'), ended('one', null)],
  ['what no read shows yet', ended('one', 'two'), ended(null, null)],
  [
    'what all reads show in another shape',
    ended('one', 'two'),
    readAgain({ ended: [7, 7] }, { ended: [7, 7] }),
    /^shape at .*: Only B: \/ended\/\* \(number\)\.$/,
  ],
  [
    'a sign',
    executed({ mean_duration: 3.2 }),
    executed({ mean_duration: -1.5 }),
    `value at call 2: /mean_duration is ${beside('at least 0', 'below 0')}`,
  ],
  [
    'the range of a rate',
    executed({ success_rate: 0.5 }),
    executed({ success_rate: 1.7 }),
    `value at call 2: /success_rate is ${beside('between 0 and 1', 'between 1 and 100')}`,
  ],
  [
    'the range of a rate as text',
    executed({ success_rate: 60 }),
    executed({ success_rate: '250' }),
    `value at call 2: /success_rate is ${beside('between 1 and 100', 'above 100')}`,
    /^shape /,
  ],
  ['a rate within its range', executed({ success_rate: 0, mean: 0.5 }), executed({ success_rate: 1, mean: 3 })],
  ['nothing beside what was sent', described('Sent 1.'), described('Sent 1.')],
  [
    'another text than was sent',
    described('Sent 1.'),
    described('Else 2.'),
    `value at call 3: /description is ${beside('as it was sent', 'another value than was sent')}`,
  ],
  ['texts that were not sent', described('Made 3.'), described('Else 2.')],
  ['identifiers, one of them without a digit', ids('wfe_a1B', 'wfe_c2D'), ids('wfe_abC', 'wfe_e3F')],
  [
    'identifiers that are no UUIDs',
    uuids,
    numbered,
    `value at call 1: /id is ${beside('a UUID', 'a text of up to 8 characters')}`,
  ],
  [
    'the prefix of identifiers',
    numbered,
    ids('ex_2041', 'ex_2042'),
    `value at call 1: /id is ${beside('a text that begins with wf_', 'a text that begins with ex_')}`,
  ],
  [
    'the folder of keys',
    ids('tenants/7/a.pdf', 'tenants/7/b.pdf'),
    ids('files/7/a.pdf', 'files/7/b.pdf'),
    `value at call 1: /id is ${beside('a path in tenants/', 'a path in files/')}`,
  ],
  ['the length of identifiers', numbered, ids('wf_9', 'wf_10'), /./],
  ['names beside those that were sent', sound, mixed, `value at call 2: /list/*/name is ${asSent}`],
  ['no names of steps', sound, sound],
  // What only one side shows says nothing of what stands beside it.
  [
    'names, where others are missing',
    sound,
    bare,
    `value at call 2: /list/*/name, /list/*/estimated_duration are ${asSent}`,
    'shape at call 2: Only A: /list/*/step_id (string), /list/*/order (number).',
  ],
  [
    'names that are missing',
    mixed,
    stepsNamed([undefined, undefined]),
    'shape at call 2: Only A: /list/*/name (string).',
  ],
  [
    'equal values of one object',
    shares(1, 1, 1),
    shares(2, 2, 2),
    `value at call 1: /c is ${beside(1, 2)}`,
    `value at call 1: /of/a, /of/b are ${beside(1, 2)}`,
  ],
  [
    'unequal values of one object',
    shares(1, 2, 1),
    shares(3, 4, 1),
    `value at call 1: /of/a is ${beside(1, 3)} /of/b is ${beside(2, 4)}`,
  ],
  ['answers to different requests', sends(6), sends(12)],
  [
    'times, means and chosen approvers',
    timed('2026-03-01T09:00:00Z', 1.5, 'a@corp.example'),
    timed('2026-03-01T09:01:00Z', 1.7, 'b@corp.example'),
  ],
])('compared: %s', (_, one, other, ...differences) => {
  expect(rowsOf(one, other)).toEqual(
    differences.map((text) => (text instanceof RegExp ? expect.stringMatching(text) : text)),
  )
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
    return twice(plain)
  }
  await compareRuns(runs('A'), runs('B'), { isInTurn })
  expect(seen).toEqual(order)
})

test.each([
  ['broken', 'fail', [2, 3]],
  ['not shown', 'accepted', [2, 3, 5]],
  ['open', 'inconclusive', [2, 3, 5]],
] as const)('what one side proves and is %s on the other is tried again', async (_, verdict, expected) => {
  const asked: number[] = []
  const sideOf = (own: 'pass' | typeof verdict) => async (count: number) => {
    if (own === 'pass') asked.push(count)
    const check = {
      id: 'execution.steps-side-by-side',
      verdict: own,
      message: 'x',
      exchanges: [],
    } as unknown as CheckResult
    return Array.from({ length: count }, () => ({ ...run(call({})), checks: [check] }))
  }
  const { rows } = await compareRuns(sideOf('pass'), sideOf(verdict))
  expect({ asked, rows: rows.length }).toEqual({ asked: expected, rows: 1 })
})

test('the same change in the answers to several questions is one row', () => {
  const answering = (status: number): SideRun => ({
    ...run(call({})),
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
