import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delaysIn, type ReadAfter } from '../../../conformance/learning/delays.ts'

const made = new Set(['run-7'])
const isSame = (one: ReadAfter, other: ReadAfter) => JSON.stringify(one.json) === JSON.stringify(other.json)

/** Returns the reads of a deployment that lists an execution after one time, and counts it after another. */
function readsAt(times: readonly number[], { list = 0, count = 0, state = (_: number) => 'open' }): ReadAfter[] {
  return times.map((ms) => {
    const [isListed, isCounted] = [ms >= list, ms >= count]
    const json = { runs: isListed ? [{ id: 'run-7', state: state(ms) }] : [], total: isCounted ? 1 : 0 }
    return { ms, json, isListed, hasNews: isListed || isCounted }
  })
}

const everyFifty = Array.from({ length: 12 }, (_, index) => index * 50)

test('an execution that the first read shows is not late', () => {
  expect(delaysIn(readsAt([5], {}), { made, isSame })).toEqual({ executions: 0, figures: 0 })
})

test('an execution that no read shows is not late', () => {
  expect(delaysIn(readsAt([5, 55], { list: 900, count: 900 }), { made, isSame })).toEqual({ executions: 0, figures: 0 })
})

test('lists and figures are late by the middle between two reads', () => {
  const reads = readsAt(everyFifty, { list: 240, count: 360 })
  expect(delaysIn(reads, { made, isSame })).toEqual({ executions: 225, figures: 375 })
})

test('delays are at most half the time between two reads off', () => {
  const delay = fc.integer({ min: 1, max: 400 })
  fc.assert(
    fc.property(delay, delay, (list, count) => {
      const { executions, figures } = delaysIn(readsAt(everyFifty, { list, count }), { made, isSame })
      expect(Math.abs(executions - list)).toBeLessThanOrEqual(25)
      expect(Math.abs(figures - count)).toBeLessThanOrEqual(25)
    }),
  )
})

test('an execution that details only count is shown with their figures', () => {
  const reads = readsAt(everyFifty, { list: 9000, count: 220 })
  expect(delaysIn(reads, { made, isSame })).toEqual({ executions: 225, figures: 225 })
})

test('figures are not later because an execution goes on', () => {
  const state = (ms: number) => (ms < 400 ? 'open' : 'done')
  const reads = readsAt(everyFifty, { list: 240, count: 240, state })
  expect(delaysIn(reads, { made, isSame })).toEqual({ executions: 225, figures: 225 })
})
