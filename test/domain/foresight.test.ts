import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestShares, costOf } from '../../src/domain/routing/foresight.ts'

const workers = fc.array(
  fc.record({
    ratio: fc.double({ min: 0.01, max: 100, noNaN: true }),
    tail: fc.double({ min: 1, max: 2.7, noNaN: true }),
  }),
  { minLength: 1, maxLength: 10 },
)

test('shares meet the demand, and the faster of two approvers is never less busy', () => {
  fc.assert(
    fc.property(workers, fc.double({ min: 0, max: 1.2, noNaN: true }), (list, load) => {
      const alike = list.map(({ ratio }) => ({ ratio, tail: 1.2 }))
      const capacity = alike.reduce((sum, { ratio }) => sum + 0.9 / ratio, 0)
      const shares = bestShares(alike, load * capacity)
      const met = shares.reduce((sum, share, index) => sum + share / (alike[index]?.ratio ?? 1), 0)
      expect(met / capacity).toBeCloseTo(Math.min(load, 1), 4)
      const fastestFirst = alike.map(({ ratio }, index) => ({ ratio, share: shares[index] ?? 0 }))
      fastestFirst.sort((a, b) => a.ratio - b.ratio)
      fastestFirst.forEach(({ share }, index) => {
        expect(share).toBeLessThanOrEqual((fastestFirst[index - 1]?.share ?? 0.9) + 1e-12)
      })
    }),
  )
})

test('slow approvers get no work while the demand is small', () => {
  const ratios = [0.5, 4].map((ratio) => ({ ratio, tail: 1.2 }))
  expect(bestShares(ratios, 0.4)[1]).toBe(0)
})

test('moving demand between two workers makes the mean time longer', () => {
  const [share = 0] = bestShares(
    [1, 1.5].map((ratio) => ({ ratio, tail: 1.2 })),
    1,
  )
  const inSystem = (share: number) => share + (share ** 2 * 1.2) / (2 * (1 - share))
  const total = (first: number) => inSystem(first) + inSystem((1 - first) * 1.5)
  expect(total(share)).toBeLessThan(total(share + 0.02))
  expect(total(share)).toBeLessThan(total(share - 0.02))
})

test('an idle desk costs the work alone, a busy one also the delay of others', () => {
  expect(costOf(30, 60, 0, 1)).toBe(90)
  expect(costOf(30, 60, 0.5, 1)).toBe(150)
})
