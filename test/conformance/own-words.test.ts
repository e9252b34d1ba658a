import { expect, test } from 'vitest'
import { describeAnswer } from '../../conformance/wire/exchange.ts'
import { ownWords } from '../../conformance/wire/own-words.ts'
import { exchangeOf } from '../support/exchange.ts'

const inText = (text: string, json?: unknown) => ownWords({ json, bytes: new TextEncoder().encode(text) })
const inJson = (json: unknown) => inText('', json)
const errors = [{ field: 'priority', message: 'It is none of P1 and P2.' }]

test.each([
  ['sentences', inJson({ code: 'E7', errors, message: 'Not valid' }), 'Not valid; It is none of P1 and P2.'],
  ['JSON without sentences', inJson({ status: 404, error: 'not_found' }), 'not_found'],
  ['a text as JSON', inJson('gone'), 'gone'],
  ['markup', inText('<Error>\n <Code>Denied</Code><Message>Expired</Message></Error>'), 'Denied Expired'],
  ['nothing', inText(''), undefined],
  ['JSON without texts', inJson({ status: 400, errors: [] }), undefined],
])('the words of an answer with %s', (_, words, expected) => {
  expect(words).toBe(expected)
})

test('words are harmless, on one line and at most 200 characters', () => {
  const words = inJson({ message: `Go "here"\n\u001b[31mred \u202E${'x'.repeat(500)}` }) ?? ''
  expect(words).toMatch(/^Go 'here' ␛\[31mred ⟨U\+202E⟩x+…$/)
  expect(words.length).toBe(200)
})

test.each([
  [400, ' ("Too bad.")'],
  [399, ' with Location: /c'],
  [300, ' with Location: /c'],
  [299, ''],
])('a label of %i repeats the words of a refusal and the target of a redirect', (status, rest) => {
  const answer = { status, headers: new Headers({ Location: '/c' }), bytes: new TextEncoder().encode('Too bad.') }
  expect(describeAnswer(exchangeOf({ url: 'http://a.test/b' }, answer))).toBe(`GET /b answered ${status}${rest}`)
})
