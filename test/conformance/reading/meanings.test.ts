import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marksFastest, marksOfSome, placeByMeaning } from '../../../conformance/reading/meanings.ts'

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

const [slow, both] = [
  [9, 2, 3],
  [2, 9, 3],
]
const two = [slow, both]

test.each([
  ['is named twice', (id: string) => ({ step_id: id, name: `Step ${id}` }), true],
  ['stands beside another step', () => ({ step_id: 'legal', name: 'Step board' }), false],
])('the fastest step as bottleneck of three workflows %s', (_, bottleneckOf, isFound) => {
  const fastest = (times: readonly number[]) => ids[times.indexOf(Math.min(...times))] ?? ''
  const three = [...two, [9, 8, 2]].map((times) => times.map((one) => 100 * one))
  const all = workflows(three, (times) => ({ bottleneck: bottleneckOf(fastest(times)) }), { bottleneck: null })
  expect(marksFastest(all)?.place).toBe(isFound ? '/bottleneck/step_id' : undefined)
})

/** The member `w` of details, by the times of steps, and what it is before an execution. */
type Shown = [what: string, of: (times: readonly number[]) => unknown, before: unknown, all?: number[][]]
const found = (fact: 'bottlenecks' | 'success_rate', [, of, before, all = two]: Shown) =>
  placeByMeaning(
    workflows(all, (times) => ({ w: of(times) }), { w: before }),
    fact,
  )

test.each<Shown>([
  ['once names another step', () => 'legal', undefined],
  ['names a step in one workflow alone', slowest, undefined, [slow]],
])('a text that %s is no bottleneck', (...shown) => {
  expect(found('bottlenecks', shown)).toBeUndefined()
})

test('a list of nothing but slowest steps is the bottleneck', () => {
  const nines = (times: readonly number[]) => ids.filter((_, at) => times[at] === 9)
  expect(found('bottlenecks', ['', nines, [], [[9, 9, 3], both]])).toBe('/w')
})

const flagged = (times: readonly number[]) =>
  ids.map((id, at) => ({ id, time: times[at], flag: id === slowest(times) ? 'Y' : 'N' }))
const states = (times: readonly number[]) => flagged(times).map(({ time: _, ...row }) => row)

test.each<[...Required<Shown>, found: string | undefined]>([
  ['beside times is the bottleneck', flagged, [], two.map((all) => all.map((one) => 10 * one)), '/w/*/flag'],
  ['in rows without times is no bottleneck', states, [], two, undefined],
])('a word that only the slowest step has %s', (what, of, before, all, place) => {
  expect(found('bottlenecks', [what, of, before, all])).toBe(place)
})

test.each<Shown>([
  ['100, after 0', () => 100, 0],
  ['1', () => 1, null],
  ['100', () => 100, null],
  ['basis points', () => 10_000, null],
  ['a text in percent', () => '100,0 %', null],
  ['a fraction', () => '1/1', null],
  ['a numeric text', () => '100.00', null],
])('%s of few executions that ended is a success rate', (...shown) => {
  expect(found('success_rate', shown)).toBe('/w')
})

test.each<Shown>([
  ['begins with 0, as counts do', () => 1, 0],
  ['differs between executions, as times do', ([one]) => one, null],
])('a figure that %s is no success rate', (...shown) => {
  expect(found('success_rate', shown)).toBeUndefined()
})

test.each([
  ['null', null, '/w'],
  ['0, as the count itself', 0, undefined],
])('the share of a count in an object beside it, at first %s', (_, before, place) => {
  const state = (w: unknown, ok: number, denied: number) => ({ w, n: { ok, denied, all: ok + denied + 1 } })
  const all = [state(1, 1, 0), state(0, 0, 1)].map((ended) => [read(undefined, state(before, 0, 0)), read(slow, ended)])
  expect(placeByMeaning(all, 'success_rate')).toBe(place)
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

test.each([
  ['board', ['/rows/*/k']],
  ['none', []],
])('what is true for the step %s alone marks it', (marked, places) => {
  expect(marksOfSome({ rows: ids.map((id) => ({ id, n: 1, k: id === marked })) }, steps)).toEqual(places)
})
