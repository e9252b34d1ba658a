import { expect, test } from 'vitest'
import { describeAnswer } from '../../conformance/wire/exchange.ts'
import { ownWords } from '../../conformance/wire/own-words.ts'

const wordsIn = (body: string, json?: unknown) => ownWords({ json, bytes: new TextEncoder().encode(body) })
const inJson = (json: unknown) => wordsIn('', json)

test('the sentences of a JSON body are its words', () => {
  const json = {
    code: 'E7',
    errors: [{ field: 'priority', message: 'It is none of P1 and P2.' }],
    message: 'Not valid',
  }
  expect(inJson(json)).toBe('Not valid; It is none of P1 and P2.')
})

test('a JSON body without sentences says its texts', () => {
  expect(inJson({ status: 404, error: 'not_found' })).toBe('not_found')
  expect(inJson('gone')).toBe('gone')
})

test('markup is left out of the words of other bodies', () => {
  expect(wordsIn('<Error>\n <Code>AccessDenied</Code><Message>Expired</Message></Error>')).toBe('AccessDenied Expired')
})

test('an answer that says nothing has no words', () => {
  expect(wordsIn('')).toBeUndefined()
  expect(inJson({ status: 400, errors: [] })).toBeUndefined()
})

test('words are harmless, on one line and at most 200 characters', () => {
  const words = inJson({ message: `Go "here"\n\u001b[31mred \u202E${'x'.repeat(500)}` }) ?? ''
  expect(words).toMatch(/^Go 'here' ␛\[31mred ⟨U\+202E⟩x+…$/)
  expect(words.length).toBe(200)
})

test('a label repeats the words of a refusal, and no others', () => {
  const said = (status: number) =>
    describeAnswer({
      request: { method: 'GET', url: 'http://a.test/b', headers: new Headers() },
      status,
      headers: new Headers(),
      bytes: new TextEncoder().encode('Too bad.'),
      durationMs: 0,
    })
  expect(said(400)).toBe('GET /b answered 400 ("Too bad.")')
  expect(said(200)).toBe('GET /b answered 200')
})
