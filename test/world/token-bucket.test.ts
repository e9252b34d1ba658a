import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBucket } from '../../src/world/token-bucket.ts'
import { cases } from '../support/sample.ts'

/** Calls a second, from 0.05 to 50. */
const rates = fc.integer({ min: 1, max: 1000 }).map((number) => number / 20)
const pauses = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { minLength: 1, maxLength: 100 })

test('a bucket never allows more than a burst and the rate', () => {
  fc.assert(
    fc.property(rates, pauses, (rate, pauses) => {
      const bucket = new TokenBucket()
      const taken: number[] = []
      let now = 0
      for (const pause of pauses) {
        now += pause
        if (bucket.take(rate, now) === 0) taken.push(now)
      }
      for (const [index, from] of taken.entries()) {
        const after = taken.slice(index).length
        expect(after).toBeLessThanOrEqual(Math.max(1, rate) + (rate * (now - from)) / 1000 + 1e-3)
      }
    }),
    { numRuns: cases(500, 100) },
  )
})

test('a bucket allows a call after the wait that it asked for, and not before', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 9 }), (rate, more) => {
      const bucket = new TokenBucket()
      let now = 12_345
      for (let call = 0; call < Math.max(1, Math.floor(rate)); call += 1) expect(bucket.take(rate, now)).toBe(0)
      for (let call = 0; call < more; call += 1) {
        const wait = bucket.take(rate, now)
        expect(wait).toBeGreaterThan(0)
        expect(bucket.take(rate, now + wait / 2)).toBeGreaterThan(0)
        now += wait
        expect(bucket.take(rate, now)).toBe(0)
      }
    }),
    { numRuns: cases(500, 100) },
  )
})
