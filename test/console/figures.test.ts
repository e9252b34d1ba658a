import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binsOf, placeIn } from '../../src/console/figures/histogram.ts'
import { segmentsOf, ticksOf } from '../../src/console/figures/timeline.ts'

const minute = 60_000
const begin = Date.UTC(2026, 2, 1, 9)
const time = (minutes: number) => new Date(begin + minutes * minute).toISOString()

const step = {
  ...{ step_id: 'legal', name: 'Legal review', order: 1, status: 'assigned' as const, routing: null },
  ...{ assignee: { email: 'lena@example.com', name: 'Lena' }, assigned_at: time(0), decided_at: null },
}
const times = { step_id: 'legal', stage: 0, taken_up_at: null, due_at: null }

/** Returns the kinds of segments with their lengths in minutes. */
const lengths = (...of: Parameters<typeof segmentsOf>) =>
  segmentsOf(...of).map(({ kind, from, to }) => `${kind} ${(to - from) / minute}`)

test('a step that waits is drawn until now, and planned until its decision', () => {
  expect(lengths(step, { ...times, due_at: time(90) }, begin + 30 * minute)).toEqual(['waiting 30', 'planned 60'])
})

test('a step is worked on from when it was taken up until its decision', () => {
  const decided = { ...step, status: 'approved' as const, decided_at: time(50) }
  expect(lengths(decided, { ...times, taken_up_at: time(20) }, begin + 99 * minute)).toEqual([
    'waiting 20',
    'working 30',
  ])
})

test('a step that is not assigned has no time', () => {
  expect(segmentsOf({ ...step, status: 'waiting', assigned_at: null }, times, begin)).toEqual([])
})

test('the ticks of a timeline are few, in order and inside it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 24 * 60 * minute }), (span) => {
      const ticks = ticksOf(begin, begin + span)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
      expect(ticks.filter((tick) => tick < 0 || tick > span)).toEqual([])
    }),
  )
})

test('a histogram counts each value once, in bins without holes', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(values, (minutes) => {
      const bins = binsOf(minutes)
      expect(bins.length).toBeLessThanOrEqual(25)
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(minutes.length)
      expect(bins.slice(1).filter(({ from }, index) => from !== bins[index]?.to)).toEqual([])
      expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(Math.max(...minutes))
    }),
  )
})

test('a histogram of nothing is empty', () => {
  expect(binsOf([])).toEqual([])
})

test('a mark stands at its share of the width, and never beyond', () => {
  expect([0, 0.25, 1, 3].map((share) => placeIn(640, share))).toEqual([0, 160, 640, 640])
})
