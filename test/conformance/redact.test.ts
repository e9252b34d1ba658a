import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { recordOf } from '../../conformance/wire/record.ts'
import { Redactor } from '../../conformance/wire/redact.ts'
import { createMock } from '../../src/index.ts'
import { exchangeOf } from '../support/exchange.ts'

const key = 'test_canary_9f8e7d6c5b4a'
const redactor = new Redactor([key])
const hexOf = (text: string) => Buffer.from(text).toString('hex')

// The last characters of base64 depend on the following bytes.
const spellings = [key, Buffer.from(key).toString('base64').slice(0, -4), hexOf(key), hexOf(key).toUpperCase()]

test('no part of a key remains anywhere in a body', () => {
  for (const spelling of spellings) {
    for (let before = 2000 - spelling.length; before <= 2000; before += 1) {
      const bytes = new TextEncoder().encode('x'.repeat(before) + spelling + 'y'.repeat(100))
      expect(recordOf(exchangeOf({}, { bytes }), redactor).responseBody).toMatch(/^x+\*\*\*key\*\*\*y+$/)
    }
  }
})

test('a text without the key is not changed', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('test'))
      expect(redactor.text(text)).toBe(text)
    }),
  )
})

test('names and messages of checks survive an address with words in its signature', async () => {
  const { fetch } = createMock()
  const wordy = async (request: Request) => {
    const response = await fetch(new Request(request.url.replace(/&X-Amz-SignedHeaders=[^&]*/, ''), request))
    if (!request.url.endsWith('/upload/') || !response.ok) return response
    const body = await response.json()
    return Response.json({ ...body, upload_url: `${body.upload_url}&X-Amz-SignedHeaders=content-type%3Bhost` })
  }
  const { checks, exchanges } = await run({ url: 'http://mock.test', apiKey: key, fetch: wordy })
  expect(checks.filter(({ id, message }) => id.includes('***') || message.includes('***'))).toEqual([])
  const text = JSON.stringify(exchanges)
  expect(text).not.toContain(key)
  expect(text).not.toMatch(/X-Amz-Signature=[0-9a-f]/)
})

test('a secret of any characters is redacted in every encoding', () => {
  const anySecret = fc.string({ unit: 'grapheme', minLength: 8 }).filter((text) => text.trim().length >= 8)
  fc.assert(
    fc.property(anySecret, (secret) => {
      const bytes = Buffer.from(secret)
      const spellings = [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')]
      const masked = new Redactor([secret]).text(spellings.join(' \u0000 '))
      for (const spelling of spellings) expect(masked).not.toContain(spelling)
    }),
  )
})

test.each<[how: string, spell: (run: string) => string]>([
  ['as they are', (run) => run],
  ['in capitals', (run) => run.toUpperCase()],
  ['backwards', (run) => [...run].reverse().join('')],
])('any 8 characters of a key are masked %s', (_, spell) => {
  const canary = 'test_cAnArY"&<\\%/+=?Zz9~qT4x'
  const masking = new Redactor([canary])
  for (let from = 0; from + 8 <= canary.length; from += 1) {
    expect(masking.text(`(${spell(canary.slice(from, from + 8))})`)).toBe('(***key***)')
  }
})

test('7 characters of a key, and its prefix, stay readable', () => {
  const masking = new Redactor(['sk_test_cAnArY9f8e7d6c'])
  for (const text of ['cAnArY9', 'sk_test_', 'a key that starts with sk_test_']) expect(masking.text(text)).toBe(text)
  expect(masking.text('cAnArY9f')).toBe('***key***')
})

test('an escape before a redacted part stays whole, so that texts can be decoded', () => {
  const masking = new Redactor([])
  masking.addSignature('ASIA586227966833QZ/20261125')
  const id = 'arn:aws:586227966833:order/7'
  expect(masking.text(id)).toBe('arn:aws:***1***:order/7')
  expect(decodeURIComponent(masking.text(encodeURIComponent(id)))).toBe('arn:aws:***1***:order/7')
  expect(masking.text('%41SIA586227966833')).toBe('***1***')
})

test('public words stay readable when a key consists of them, and the key does not', () => {
  const masking = new Redactor(['test_conformance', 'test_workflow_9f8e7d6c'])
  for (const text of ['conformance-1a2b3c4d-a', '/api/v1/workflows', 'workflow.name', 'Content-Type']) {
    expect(masking.text(text)).toBe(text)
  }
  expect(masking.text('Authorization: test_conformance')).toBe('Authorization: ***key***')
  expect(masking.text('"workflow_9f8e7d6c"')).toBe('"wo***key***"')
})

/** Counts the characters that were searched. */
function lookupsOf(run: () => void): number {
  const spy = vi.spyOn(String.prototype, 'charCodeAt')
  onTestFinished(() => spy.mockRestore())
  run()
  const count = spy.mock.calls.length
  spy.mockRestore()
  return count
}

const signature = (index: number) => hexOf(`signature ${index}`.padEnd(20, '.'))

function withSignatures(count: number) {
  const masking = new Redactor([key])
  for (let index = 0; index < count; index += 1) masking.addSignature(signature(index))
  return masking
}

test('the work of masking depends on the length of the text, not on many secrets', () => {
  const text = 'some text without any secret, in which a long answer is searched. '.repeat(100)
  const few = withSignatures(1)
  const many = withSignatures(500)
  const once = lookupsOf(() => few.text(text))
  expect(lookupsOf(() => many.text(text))).toBe(once)
  expect(lookupsOf(() => many.text(text + text)) / once).toBeCloseTo(2, 1)
  expect(once / text.length).toBeLessThan(16)
  // Only the part of a body that a report shows is searched.
  expect(lookupsOf(() => many.text(text.repeat(100), 100))).toBeLessThan(once)
})

test.each([
  ['1,001 signatures', 1000, signature(1000)],
  ['signatures of 65,537 characters', 0, 'x'.repeat(65_537)],
])('%s are too many, so texts are withheld as a whole', (_, count, last) => {
  const masking = withSignatures(count)
  expect(masking.text('a body of some length')).toBe('a body of some length')
  masking.addSignature(last)
  expect(masking.text('a body of some length')).toBe('[too many secrets: body withheld]')
  expect(masking.text('POST')).toBe('POST')
})

test('a text is redacted again once it contains a known signature', () => {
  const masking = new Redactor([key])
  const text = `kept ${signature(1)}`
  expect(masking.text(text)).toBe(text)
  masking.addSignature(signature(1))
  expect(masking.text(text)).toBe('kept ***1***')
})
