import { describe, expect, test } from 'vitest'
import { type StepHistory, stepsAtPlaces } from '../../../conformance/reading/step-progress.ts'
import {
  earlyStart,
  endedOutOfOrder,
  isInTurn,
  isTogether,
  lastLeftOut,
  overlapByDefault,
  relay,
  timePlaces,
  unbegun,
} from '../../../conformance/reading/step-times.ts'

const steps = [
  { step_id: 'b', name: 'Second', order: 2 },
  { step_id: 'c', name: 'Third', order: 3 },
  { step_id: 'a', name: 'First', order: 1 },
]

type Times = readonly (readonly [start: number | string | null, end: number | string | null])[]

const at = (second: number | string | null) =>
  typeof second === 'number' ? new Date(Date.parse('2026-03-01T09:00:00Z') + second * 1000).toISOString() : second

/** What an answer shows of the steps, given the seconds of their starts and ends by order. */
const shown = (times: Times, [start = '', end = '']: readonly string[] = ['from', 'to']): StepHistory => ({
  after: [
    stepsAtPlaces(
      {
        list: steps.map(({ step_id, order }) => {
          const [one = null, other = null] = times[order - 1] ?? []
          return { step_id, [start]: at(one), [end]: at(other) }
        }),
      },
      steps,
    ),
  ],
})

const inTurn: Times = [
  [0, 40],
  [40, 95],
  [95, 165],
]
const atOnce: Times = [
  [0, 40],
  [0, 55],
  [0, 70],
]
const names = ['started_at', 'completed_at']
const places = { start: '/list/*/from', end: '/list/*/to' }

/** Returns what the times of a sequential and a parallel workflow prove. */
function judged(sequential: Times, parallel: Times, called?: string[]) {
  const histories = { sequential: shown(sequential, called), parallel: shown(parallel, called) }
  const [found] = timePlaces(histories)
  return {
    strength: found?.strength,
    isInTurn: found && isInTurn(histories, found) && isTogether(histories, found),
    isEarly: found && earlyStart(histories, found) !== undefined,
    isRelay: relay(histories) !== undefined,
  }
}

const nothing = { strength: undefined, isInTurn: undefined, isEarly: undefined, isRelay: false }
const sound = { strength: 'proven', isInTurn: true, isEarly: false, isRelay: false }

test('times that follow isSequential show when steps were at work, under any name', () => {
  const histories = { sequential: shown(inTurn), parallel: shown(atOnce) }
  expect(timePlaces(histories)).toMatchObject([{ ...places, strength: 'proven' }])
  expect(judged(inTurn, atOnce)).toEqual(sound)
})

test('steps that ran in reverse did not wait for their turn', () => {
  expect(judged([...inTurn].reverse(), atOnce)).toMatchObject({ strength: 'proven', isInTurn: false, isEarly: true })
})

test('steps that begin before the end of the one before did not wait for it', () => {
  expect(judged(overlapping, atOnce)).toMatchObject({ strength: 'proven', isEarly: true })
})

test('steps of which each begins at the end of the one before were not side by side', () => {
  expect(judged(inTurn, inTurn)).toMatchObject({ isRelay: true })
  expect(judged(inTurn, [...inTurn.slice(0, 2), [null, null]])).toMatchObject({ isRelay: true })
  const withPauses: Times = [
    [0, 40],
    [50, 105],
    [108, 178],
  ]
  expect(judged(inTurn, withPauses).isRelay).toBe(false)
})

test('a later step that has begun before an earlier one shows another sequence', () => {
  const histories = { sequential: shown(inTurn), parallel: shown(atOnce) }
  const begun = (times: Times) => unbegun({ ...histories, shuffled: shown(times) }, places)
  expect(
    begun([
      [null, null],
      [0, null],
      [null, null],
    ]),
  ).toMatchObject({ of: 'shuffled' })
  expect(
    begun([
      [0, null],
      [null, null],
      [null, null],
    ]),
  ).toBe(undefined)
  expect(
    begun([
      [0, 40],
      [40, null],
      [null, null],
    ]),
  ).toBe(undefined)
})

/** Times of steps that begin while the one before them is at work. */
const overlapping: Times = [
  [0, 40],
  [20, 75],
  [48, 118],
]

test('two steps that begin together after another one were at work at once', () => {
  const times: Times = [
    [0, 40],
    [40, 95],
    [40, 110],
  ]
  expect(judged(times, atOnce, names)).toMatchObject({ strength: 'named', isEarly: true })
  expect(judged(atOnce, atOnce, names)).toMatchObject({ isEarly: false })
})

const seconds = (times: Times) => times.map(([start, end]) => [`${start}`, `${end}`] as const)

test('times since the start of an execution are read by the units of their names', () => {
  const called = ['begin_s', 'end_s']
  expect(judged(seconds(inTurn), seconds(atOnce), called)).toEqual(sound)
  const early: Times = [...inTurn.slice(0, 2), [0, 70]]
  expect(judged(seconds(early), seconds(atOnce), called)).toMatchObject({ strength: 'named', isEarly: true })
  // Each step may count from its own start.
  expect(judged(seconds(overlapping), seconds(atOnce), called)).toMatchObject({ isEarly: false })
  expect(judged(seconds(early), seconds(atOnce), ['begin_x', 'end_x'])).toEqual(nothing)
})

test('overlapping times prove nothing, unless they are called start and end', () => {
  expect(judged(overlapping, overlapping)).toEqual(nothing)
  expect(judged(overlapping, overlapping, ['queued_at', 'completed_at'])).toEqual(nothing)
  expect(judged(overlapping, overlapping, names)).toMatchObject({ strength: 'named', isEarly: true })
  expect(judged(overlapping, overlapping, ['planned_start', 'planned_end'])).toEqual(nothing)
})

test('starts that are all the same may be those of the execution', () => {
  expect(judged(atOnce, atOnce)).toEqual(nothing)
  expect(judged(atOnce, atOnce, names)).toMatchObject({ strength: 'named', isEarly: false })
})

test.each([
  ['equal', () => 0],
  ['a few milliseconds long', (second: number) => second / 10_000],
  ['in minutes', (second: number) => 60 * Math.floor(second / 60)],
])('times that are %s fail no deployment', (_, change) => {
  const changed = (times: Times): Times => times.map((pair) => [change(Number(pair[0])), change(Number(pair[1]))])
  const { isEarly = false, isRelay } = judged(changed(inTurn), changed(atOnce), names)
  expect([isEarly, isRelay]).toEqual([false, false])
})

test('a step that is noted to begin just before the end of the other is in turn', () => {
  const noted: Times = [
    [0, 40],
    [39.998, 95],
    [94.999, 165],
  ]
  expect(judged(noted, atOnce)).toEqual(sound)
})

test('times are read in the forms of other platforms', () => {
  const inForm = (times: Times, form: (second: number) => string): Times =>
    times.map((pair) => [form(Number(pair[0])), form(Number(pair[1]))])
  const ticks = (second: number) => String(at(second)).replace('Z', '0000+00:00')
  const dayFirst = (second: number) =>
    `01.03.2026 09:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`
  for (const form of [ticks, dayFirst]) expect(judged(inForm(inTurn, form), inForm(atOnce, form))).toEqual(sound)
})

/** Ended executions, with the state and the end of each step. */
const ended = (...items: readonly (readonly [state: string, end: number | null])[]): StepHistory => ({
  after: [
    stepsAtPlaces(
      {
        list: steps.map(({ step_id, order }) => ({
          step_id,
          it: items[order - 1]?.[0],
          to: at(items[order - 1]?.[1] ?? null),
        })),
      },
      steps,
    ),
  ],
  approved: ['/list/*'],
})

test('a last step without an end in two executions that have ended was left out', () => {
  const skips = ended(['done', 10], ['done', 20], ['open', null])
  expect(lastLeftOut({ sequential: skips, parallel: skips })).toMatchObject({ place: '/list/*/it' })
  expect(lastLeftOut({ sequential: skips })).toBeUndefined()
  expect(lastLeftOut({ sequential: skips, parallel: ended(['done', 10], ['done', 20], ['done', 30]) })).toBeUndefined()
  const refused = ended(['done', 10], ['no', 20], ['open', null])
  expect(lastLeftOut({ sequential: refused, parallel: refused })).toBeUndefined()
  const running = { after: skips.after }
  expect(lastLeftOut({ sequential: running, parallel: running })).toBeUndefined()
})

test('steps that overlap where isSequential was omitted are seen at proven times', () => {
  const histories = { sequential: shown(inTurn), parallel: shown(atOnce), byDefault: shown(atOnce) }
  const [found] = timePlaces(histories)
  expect(found?.strength).toBe('proven')
  expect(found && overlapByDefault(histories, found)).toHaveLength(3)
  expect(found && overlapByDefault({ ...histories, byDefault: shown(inTurn) }, found)).toBeUndefined()
})

describe('ends without starts', () => {
  const ends = (name: string, ...reads: readonly (readonly (number | string | null)[])[]) => {
    const after = reads.flatMap(
      (read) =>
        shown(
          read.map((end) => [null, end]),
          ['from', name],
        ).after,
    )
    return endedOutOfOrder({ sequential: { after } })?.values.length
  }
  const open = [null, null, null]

  test.each(['decided_at', 'completed_at', 'answered_at'])('%s shows that a step ended early', (name) => {
    expect(ends(name, open, [20, 10, null])).toBe(3)
    expect(ends(name, [null, 10, null], [20, 10, 30])).toBe(3)
  })

  test.each([
    ['steps that end in turn', 'decided_at', [open, [10, 20, null]]],
    ['ends at the same moment', 'decided_at', [open, [10, 10, 10]]],
    [
      'a difference that rounding explains',
      'decided_at',
      [open, ['2026-03-01T09:02:00Z', '2026-03-01T09:01:00Z', null]],
    ],
    ['times that no step was without', 'completed_at', [[30, 20, 10]]],
    ['deadlines', 'due_at', [open, [30, 20, 10]]],
    ['expected ends', 'expected_completion_at', [open, [30, 20, 10]]],
  ])('%s prove nothing', (_, name, reads) => {
    expect(ends(name, ...reads)).toBeUndefined()
  })

  test('only sequential workflows have an order', () => {
    const after = [open, [20, 10, null]].flatMap(
      (read) =>
        shown(
          read.map((end) => [null, end]),
          ['from', 'decided_at'],
        ).after,
    )
    expect(endedOutOfOrder({ sequential: { after: [] }, parallel: { after } })).toBeUndefined()
  })
})
