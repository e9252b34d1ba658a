import { expect, test } from 'vitest'
import { answerValue } from '../../../conformance/learning/learn.ts'
import type { Exchange } from '../../../conformance/wire/exchange.ts'
import { sandbox, withheld } from '../../../src/contract/http.ts'

/** Returns the headers that are learned of an answer. */
function learned(headers: Record<string, string>, sent: Record<string, string> = {}): unknown {
  const request = { method: 'GET', url: 'http://there.test/api/v1/workflows/w1', headers: new Headers(sent) }
  const answer: Exchange = {
    request,
    status: 204,
    headers: new Headers(headers),
    bytes: new Uint8Array(),
    json: undefined,
    durationMs: 1,
  }
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
