import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latency as parse } from '../../cli/values.ts'
import { drawLatency } from '../../src/wire/limits.ts'
import { Random } from '../../src/world/random.ts'
import { fakeTimers, mustWait } from '../support/fake-time.ts'
import { service } from '../support/service.ts'

const draws = 4000
const whole = { minMs: 0, maxMs: 60_000 }

test('half of the delays are below p50, and 99 of 100 below p99', () => {
  const percentiles = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 2, max: 40 }), fc.string())
  fc.assert(
    fc.property(percentiles, ([p50Ms, factor, seed]) => {
      const latency = { ...whole, p50Ms, p99Ms: p50Ms * factor }
      const luck = new Random(seed)
      const delays = Array.from({ length: draws }, () => drawLatency(latency, luck))
      const below = (ms: number) => delays.filter((delay) => delay <= ms).length / draws
      // At least five standard deviations of a share of 4,000 draws.
      expect(Math.abs(below(latency.p50Ms) - 0.5)).toBeLessThan(0.04)
      expect(Math.abs(below(latency.p99Ms) - 0.99)).toBeLessThan(0.01)
    }),
    { numRuns: 20 },
  )
})

test('delays are cut off at the ends of the range', () => {
  const latency = { minMs: 70, maxMs: 100, p50Ms: 80, p99Ms: 100 }
  const luck = new Random('1')
  const delays = Array.from({ length: draws }, () => drawLatency(latency, luck))
  expect([Math.min(...delays), Math.max(...delays)]).toEqual([70, 100])
})

test('a call waits for a delay of the distribution', async () => {
  const { call } = service({ latency: { ...whole, p50Ms: 250, p99Ms: 250 } })
  fakeTimers()
  await mustWait(call('GET', '/api/v1/workflows/wf_1'), 250)
})

test.each([
  ['200', { minMs: 200, maxMs: 200 }],
  ['100..800', { minMs: 100, maxMs: 800 }],
  ['p50=80,p99=900', { ...whole, p50Ms: 80, p99Ms: 900 }],
  ['p50=80ms,p99=900ms', { ...whole, p50Ms: 80, p99Ms: 900 }],
])('--latency %s is read', (text, latency) => {
  expect(parse(text)).toEqual(latency)
})

test.each(['p50=0,p99=10', 'p50=80', 'p99=900,p50=80', 'p50=80,p99=70000', '', '1s'])(
  '--latency %j is refused',
  (text) => {
    expect(() => parse(text)).toThrow(/Use milliseconds up to 60000/)
  },
)
