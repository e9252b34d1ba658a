import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTime } from '../../../conformance/reading/times.ts'
import { compile, timeForms, writeTime } from '../../../src/profile/template.ts'
import { nonEmpty } from '../../support/non-empty.ts'

const times = fc.integer({ min: Date.UTC(2001) / 1000, max: Date.UTC(2099) / 1000 }).map((seconds) => seconds * 1000)

test.each(nonEmpty(timeForms))('a time written as %s is read, with its form', (form) => {
  fc.assert(
    fc.property(times, (ms) => {
      const read = readTime(writeTime(ms, form))
      expect(read?.forms).toContain(form)
      const day = 24 * 60 * 60 * 1000
      expect(Math.abs((read?.ms ?? 0) - ms)).toBeLessThan(form.endsWith('date') ? day : 1000)
    }),
  )
})

test.each([
  ['a count', 1200],
  ['a price', 99_000.5],
  ['a year', '2026'],
  ['a phone number', '0301234567'],
  ['a date of the 19th century', '1889-05-06T00:00:00Z'],
  ['a day that there is not', '2026-02-30T25:00:00Z'],
  ['a list of numbers', [1, 2, 3]],
  ['no text', null],
])('%s is no time', (_, value) => {
  expect(readTime(value)).toBeUndefined()
})

test('a time in another zone is read, and written in that zone', () => {
  const read = readTime('2026-11-22T22:39:43+05:30')
  expect(read).toMatchObject({ ms: Date.UTC(2026, 10, 22, 17, 9, 43), zone: 330 })
  const template = compile({ $time: '/now', form: read?.forms[0] ?? 'iso', zone: read?.zone ?? 0 })
  expect(template.render({ now: '2026-11-22T17:09:43.000Z' }, { draw: () => () => 0 })).toBe(
    '2026-11-22T22:39:43+05:30',
  )
})
