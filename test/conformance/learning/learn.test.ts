import { expect, test } from 'vitest'
import { answerValue, type LearnedPair, oddIn } from '../../../conformance/learning/learn.ts'
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

/** A successful execution that was sent at a time and took some milliseconds. */
function execution(at: number, durationMs: number): LearnedPair {
  const exchange = { at, durationMs } as LearnedPair['introduced']['exchange']
  const introduced = { exchange, call: 'executeWorkflow', isSuccess: true, roles: {} } as LearnedPair['introduced']
  return { introduced, isAccepted: true }
}

test('executions that were started side by side are odd, and later ones are not', () => {
  const pairs = [execution(0, 40), execution(10, 40), execution(60, 40), execution(100, 40)]
  const odd = oddIn(pairs)
  expect(pairs.map(({ introduced }) => odd.has(introduced.exchange))).toEqual([true, true, false, false])
})
