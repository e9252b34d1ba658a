import { expect, test } from 'vitest'
import { bounded, mostValues } from '../../../conformance/session/bounds.ts'
import { exchangeOf } from '../../support/exchange.ts'

const answered = (json: unknown) => exchangeOf({}, { json, bytes: new TextEncoder().encode(JSON.stringify(json)) })

test('an answer that can be learned from is kept as it is', () => {
  const exchange = answered({ id: 7, list: Array(mostValues - 10).fill(1) })
  expect(bounded(exchange)).toBe(exchange)
})

test.each([
  ['many members', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, 1]))],
  ['a long list', { list: Array(10_000).fill({ a: 1 }) }],
  ['many small lists', { lists: Array(2000).fill([1, 2]) }],
])('of an answer with %s only the beginning is kept', (_, more) => {
  const { json, bytes, isOversized } = bounded(answered({ id: 'wf-7', more }))
  expect(isOversized).toBe(true)
  expect(json).toMatchObject({ id: 'wf-7' })
  expect(bytes.length).toBeLessThan(10_000)
})
