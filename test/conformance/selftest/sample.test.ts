import { expect, test } from 'vitest'
import { nonEmpty } from '../../support/non-empty.ts'
import { oneADay, sampled } from '../../support/sample.ts'

const list = Array.from({ length: 100 }, (_, index) => index)
const dates = Array.from({ length: 16 }, (_, day) => new Date(Date.UTC(2026, 10, 27 + day)).toISOString().slice(0, 10))

test('the samples of sixteen consecutive days contain every item once', () => {
  const all = dates.map((date) => sampled(list, date))
  expect(all.flat().sort((a, b) => a - b)).toEqual(list)
  for (const sample of nonEmpty(all)) expect(sample.length).toBeGreaterThanOrEqual(6)
})

test('a sample of a short list has one item, and all dates together have every item', () => {
  const all = dates.map((date) => sampled(['a', 'b', 'c'], date))
  for (const sample of nonEmpty(all)) expect(sample).toHaveLength(1)
  expect(new Set(all.flat())).toEqual(new Set(['a', 'b', 'c']))
})

test('a sample of one date is always the same', () => {
  expect(sampled(list, '2026-11-21')).toEqual(sampled(list, '2026-11-21'))
  expect(sampled(list, '2026-11-21')).not.toEqual(sampled(list, '2026-11-22'))
})

test('one item a day is a different one on each of sixteen days', () => {
  const all = dates.map((date) => oneADay(list, date))
  expect(new Set(all.flat()).size).toBe(dates.length)
  for (const items of nonEmpty(all)) expect(items).toHaveLength(1)
})

test.each(['all', 'deep'])('with %s no item is left out', (sample) => {
  expect(sampled(list, sample)).toEqual(list)
})
