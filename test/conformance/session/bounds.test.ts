import { expect, test } from 'vitest'
import { bounded, mostValues } from '../../../conformance/session/bounds.ts'

const request = { method: 'GET', url: 'http://there.test/', headers: new Headers() }
const exchangeOf = (json: unknown) => {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  return { request, status: 200, headers: new Headers(), bytes, json, durationMs: 1 }
}

test('an answer that can be learned from is kept as it is', () => {
  const exchange = exchangeOf({ id: 7, list: Array(mostValues - 10).fill(1) })
  expect(bounded(exchange)).toBe(exchange)
})

test.each([
  ['many members', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, 1]))],
  ['a long list', { list: Array(10_000).fill({ a: 1 }) }],
  ['many small lists', { lists: Array(2000).fill([1, 2]) }],
])('of an answer with %s only the beginning is kept', (_, more) => {
  const { json, bytes, isOversized } = bounded(exchangeOf({ id: 'wf-7', more }))
  expect(isOversized).toBe(true)
  expect(json).toMatchObject({ id: 'wf-7' })
  expect(bytes.length).toBeLessThan(10_000)
})
