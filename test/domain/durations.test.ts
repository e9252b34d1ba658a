import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DurationSketch } from '../../src/domain/analytics/durations.ts'
import { exactFiguresOf } from '../support/recount.ts'

/** Any durations with their sketch, and the exact quantiles. */
const durations = (min: number, maxLength: number) =>
  fc.array(fc.integer({ min, max: 10 ** 10 }), { minLength: 1, maxLength }).map((values) => {
    const sketch = new DurationSketch()
    for (const value of values) sketch.add(value)
    const { mean, p50, p90, p99 } = exactFiguresOf(values)
    return { found: sketch.quantiles([0.5, 0.9, 0.99]), read: sketch.read(), exact: [p50, p90, p99], mean }
  })

test('every quantile is within 1 % of the exact one, and the mean is exact', () => {
  fc.assert(
    fc.property(durations(1, 300), ({ read, exact, mean }) => {
      expect(read?.meanMinutes).toBeCloseTo(mean / 60_000, 6)
      for (const [index, found] of [read?.p50Minutes, read?.p90Minutes, read?.p99Minutes].entries()) {
        const minutes = (exact[index] ?? 0) / 60_000
        expect(Math.abs((found ?? 0) - minutes)).toBeLessThanOrEqual(minutes * 0.010001)
      }
    }),
  )
})

test('the quantiles of up to 50 durations are exact', () => {
  fc.assert(fc.property(durations(0, 50), ({ found, exact }) => void expect(found).toEqual(exact)))
})

test('a duration of zero counts as zero', () => {
  const sketch = new DurationSketch()
  sketch.add(0)
  expect(sketch.read()).toEqual({ meanMinutes: 0, p50Minutes: 0, p90Minutes: 0, p99Minutes: 0 })
})
