import { expect, test } from 'vitest'
import { answerValue } from '../../../conformance/learning/learn.ts'
import { sandbox, withheld } from '../../../src/contract/http.ts'
import { exchangeOf } from '../../support/exchange.ts'

/** Returns the headers that are learned of an answer. */
function learned(headers: Record<string, string>, sent: Record<string, string> = {}): unknown {
  const answer = exchangeOf({ headers: new Headers(sent) }, { status: 204, headers: new Headers(headers) })
  return (answerValue(answer) as { headers: unknown }).headers
}

test('headers that a mock withholds or adds are neither learned nor compared', () => {
  const theirs = Object.fromEntries([...withheld.keys(), 'date', '$if'].map((name) => [name, 'a']))
  expect(learned({ ...theirs, ...Object.fromEntries(sandbox), 'x-powered-by': 'PHP' })).toEqual({
    'x-powered-by': 'PHP',
  })
})

test('a mock has all calls left that a rate limit allows', () => {
  const left = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '17', 'ratelimit-remaining': '3' }
  expect(learned(left)).toEqual({ ...left, 'x-ratelimit-remaining': '60' })
})

test('CORS headers are learned from calls that no page sent', () => {
  const open = { 'access-control-allow-origin': '*', vary: 'Origin' }
  expect(learned(open)).toEqual(open)
  expect(learned(open, { Origin: 'https://page.example' })).toEqual({})
})
