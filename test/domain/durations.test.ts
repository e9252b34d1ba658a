import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DurationSketch } from '../../src/domain/analytics/durations.ts'

test('every quantile is within 1 % of the exact one, and the mean is exact', () => {
  const durations = fc.array(fc.integer({ min: 1, max: 10 ** 10 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(durations, (values) => {
      const sketch = new DurationSketch()
      for (const value of values) sketch.add(value)
      const sorted = [...values].sort((a, b) => a - b)
      const read = sketch.read()
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length / 60_000
      expect(read?.meanMinutes).toBeCloseTo(mean, 6)
      for (const [q, found] of [
        [0.5, read?.p50Minutes],
        [0.9, read?.p90Minutes],
        [0.99, read?.p99Minutes],
      ] as const) {
        const exact = (sorted[Math.ceil(q * values.length) - 1] ?? 0) / 60_000
        expect(Math.abs((found ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.010001)
      }
    }),
  )
})

test('the quantiles of up to 50 durations are exact', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 10 }), { minLength: 1, maxLength: 50 }), (values) => {
      const sketch = new DurationSketch()
      for (const value of values) sketch.add(value)
      const sorted = [...values].sort((a, b) => a - b)
      const exact = [0.5, 0.9, 0.99].map((share) => sorted[Math.ceil(share * values.length - 1e-6) - 1])
      expect(sketch.quantiles([0.5, 0.9, 0.99])).toEqual(exact)
    }),
  )
})

test('a duration of zero counts as zero', () => {
  const sketch = new DurationSketch()
  sketch.add(0)
  expect(sketch.read()).toEqual({ meanMinutes: 0, p50Minutes: 0, p90Minutes: 0, p99Minutes: 0 })
})
