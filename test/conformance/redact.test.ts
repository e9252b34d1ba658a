import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordOf } from '../../conformance/exchange-record.ts'
import { Redactor } from '../../conformance/redact.ts'
import { run } from '../../conformance/runner.ts'
import { createMock } from '../../src/index.ts'

const key = 'test_canary_9f8e7d6c5b4a'
const redactor = new Redactor([key])
const hex = Buffer.from(key).toString('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['as it is', key],
  ['percent-encoded', encodeURIComponent(key)],
  ['in JSON', JSON.stringify({ key })],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ key }))],
  ['in base64', base64(key)],
  ['in base64 behind a colon', base64(`user:${key}`)],
  ['in base64 before a colon', base64(`${key}:`)],
  ['in base64 for addresses', Buffer.from(`xy${key}`).toString('base64url')],
  ['percent-encoded in full', hex.replaceAll(/../g, '%$&')],
  ['percent-encoded in full, in upper case', hex.toUpperCase().replaceAll(/../g, '%$&')],
  ['in hexadecimal', hex],
  ['in upper-case hexadecimal', hex.toUpperCase()],
  ['backwards', [...key].reverse().join('')],
  ['by its first characters', `${key.slice(0, 12)}…`],
])('a key is masked %s', (_, text) => {
  const masked = redactor.text(`before ${text} after`)
  expect(masked).toContain('***')
  expect(masked).toMatch(/^before .* after$/)
})

// The last characters of base64 depend on what comes after.
const spellings = [key, base64(key).slice(0, -4), hex, hex.toUpperCase()]

test('nothing of a key is left where a body was cut within it', () => {
  for (const spelling of spellings) {
    for (let before = 2000 - spelling.length; before <= 2000; before += 1) {
      const bytes = new TextEncoder().encode('x'.repeat(before) + spelling + 'y'.repeat(100))
      const request = new Request('http://mock.test/')
      const answer = { request, status: 200, headers: new Headers(), bytes, durationMs: 1 }
      expect(recordOf(answer, redactor).responseBody).toMatch(/^x+\*{0,3}y*… <\d+ bytes in all>$/)
    }
  }
})

test('nothing of a key is left where a message was cut within it', () => {
  for (const spelling of spellings) {
    for (let length = 4; length <= spelling.length; length += 1) {
      const message = `It shows "xx${spelling.slice(0, length)}… and not "${spelling.slice(0, length)}….`
      expect(redactor.message(message)).toBe('It shows "xx***… and not "***….')
    }
  }
})

test('a text without the key stays as it is', () => {
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

test('a secret of any characters is masked in every spelling', () => {
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
