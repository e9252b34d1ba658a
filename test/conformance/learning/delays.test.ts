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

const withNews = (reads: readonly ReadAfter[]) => reads.map((one) => ({ ...one, hasNews: true }))

const state = (ms: number) => (ms < 400 ? 'open' : 'done')

test.each([
  ['that the first read shows is not late', readsAt([5], {}), 0, 0],
  ['that no read shows is not late', readsAt([5, 55], { list: 900, count: 900 }), 0, 0],
  ['is late by the middle between two reads', readsAt(everyFifty, { list: 240, count: 360 }), 225, 375],
  ['that details only count is shown with their figures', readsAt(everyFifty, { list: 9000, count: 220 }), 225, 225],
  ['is late though the first read has other news', withNews(readsAt(everyFifty, { list: 240, count: 240 })), 225, 225],
  ['that goes on does not make figures later', readsAt(everyFifty, { list: 240, count: 240, state }), 225, 225],
])('an execution %s', (_, reads, executions, figures) => {
  expect(delaysIn(reads, { made, isSame })).toEqual({ executions, figures })
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
