import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksOfSome, placeByMeaning } from '../../../conformance/reading/meanings.ts'

const ids = ['legal', 'board', 'final']
const steps = ids.map((step_id, at) => ({
  step_id,
  name: `Step ${step_id}`,
  order: at + 1,
  type: 'approval' as const,
  approvers: [],
  estimated_duration: 5000 + at,
}))

/** Details with times of steps, before and after an execution. */
const read = (times: readonly number[] | undefined, more: object) => ({
  json: { count: times ? 1 : 0, rows: ids.map((id, at) => ({ id, t: times?.[at] ?? null })), ...more },
  steps,
  started: 1,
})

/** Two workflows, each read before and after an execution. */
const workflows = (all: readonly (readonly number[])[], of: (times: readonly number[]) => object, before: object) =>
  all.map((times) => [read(undefined, before), read(times, of(times))])

const slowest = (times: readonly number[]) => ids[times.indexOf(Math.max(...times))]
const time = fc
  .array(fc.integer({ min: 2, max: 9999 }), { minLength: 3, maxLength: 3 })
  .filter((all) => new Set(all).size === 3)
const twoTimes = fc.tuple(time, time).filter(([one, other]) => one.join() !== other.join())

test('a text that always names the slowest step is the bottleneck under any name', () => {
  fc.assert(
    fc.property(twoTimes, fc.stringMatching(/^[a-z]{3,6}$/), (times, name) => {
      fc.pre(!['count', 'rows'].includes(name))
      const all = workflows(times, (one) => ({ [name]: slowest(one) }), { [name]: null })
      expect(placeByMeaning(all, 'bottlenecks')).toBe(`/${name}`)
    }),
  )
})

test.each([
  [
    'once names another step',
    [
      [9, 2, 3],
      [2, 9, 3],
    ],
    () => 'legal',
  ],
  ['names a step in one workflow alone', [[9, 2, 3]], slowest],
])('a text that %s is no bottleneck', (_, times, of) => {
  expect(
    placeByMeaning(
      workflows(times, (one) => ({ w: of(one) }), {}),
      'bottlenecks',
    ),
  ).toBeUndefined()
})

test('a list of nothing but slowest steps is the bottleneck', () => {
  const times = [
    [9, 9, 3],
    [2, 9, 3],
  ]
  const all = workflows(times, (one) => ({ w: ids.filter((_, at) => one[at] === 9) }), { w: [] })
  expect(placeByMeaning(all, 'bottlenecks')).toBe('/w')
})

test('a figure that is 0 and then 100 of few executions is a success rate', () => {
  const reads = workflows(
    [
      [9, 2, 3],
      [2, 9, 3],
    ],
    () => ({ q: 100 }),
    { q: 0 },
  )
  expect(placeByMeaning(reads, 'success_rate')).toBe('/q')
})

test.each([
  ['1', 1],
  ['100', 100],
  ['basis points', 10_000],
  ['a text in percent', '100,0 %'],
  ['a fraction', '1/1'],
  ['a numeric text', '100.00'],
])('%s, without a value before the first end, is a success rate', (_, all) => {
  const reads = workflows(
    [
      [9, 2, 3],
      [2, 9, 3],
    ],
    () => ({ q: { r: all } }),
    { q: null },
  )
  expect(placeByMeaning(reads, 'success_rate')).toBe('/q/r')
})

test.each([
  ['begins with 0, as counts do', 0, () => 1],
  ['differs between executions, as times do', null, ([one = 0]: readonly number[]) => one],
])('a figure that %s is no success rate', (_, before, of) => {
  const reads = workflows(
    [
      [9, 2, 3],
      [2, 9, 3],
    ],
    (times) => ({ q: of(times) }),
    { q: before },
  )
  expect(placeByMeaning(reads, 'success_rate')).toBeUndefined()
})

test('the sum or the largest of the times of steps is a completion time, in any unit', () => {
  const sum = (times: readonly number[]) => times.reduce((total, one) => total + one, 0)
  fc.assert(
    fc.property(
      twoTimes,
      fc.constantFrom(1, 1000, 60_000),
      fc.constantFrom(sum, (all: readonly number[]) => Math.max(...all)),
      (times, unit, of) => {
        fc.pre(of(times[0]) !== of(times[1]))
        const reads = workflows(times, (one) => ({ w: of(one) / unit }), { w: 0 })
        expect(placeByMeaning(reads, 'completion_time')).toBe('/w')
      },
    ),
  )
})

test('what is true for some steps alone marks them', () => {
  const rows = (isMarked: (id: string) => boolean) => ({ rows: ids.map((id) => ({ id, n: 1, k: isMarked(id) })) })
  expect(
    marksOfSome(
      rows((id) => id === 'board'),
      steps,
    ),
  ).toEqual(['/rows/*/k'])
  expect(
    marksOfSome(
      rows(() => false),
      steps,
    ),
  ).toEqual([])
})
