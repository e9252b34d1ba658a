import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signaturesIn } from '../../src/session/credentials.ts'
import { SecretRedactor } from '../../src/session/redact.ts'
import { type Encoding, escapings, groupings, packings, runsIn } from '../support/encodings.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'

/** The part of a key after its kind, of all characters that a header may have. */
const anySecret = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 12,
  maxLength: 40,
})
const one = (encodings: readonly Encoding[]) => fc.constantFrom(...encodings)

function written(secret: string, encodings: readonly Encoding[]): string {
  return encodings.reduce((text, { write }) => write(text), secret)
}

/** Returns a text as it is, and as each further encoding reads it. */
function readings(text: string, encodings: readonly Encoding[]): string[] {
  const all = [text]
  for (const { read } of encodings.toReversed()) all.push(read(all.at(-1) ?? ''))
  return all
}

test('no 8 characters of a key survive any encodings of encodings', () => {
  const escaped = fc.array(one(escapings), { maxLength: 3 })
  const encodings = fc
    .tuple(escaped, fc.option(one(packings)), escaped)
    .map(([inner, packing, outer]) => [...inner, ...(packing ? [packing] : []), ...outer])
  fc.assert(
    fc.property(anySecret, fc.nat(), fc.nat(), encodings, (secret, begin, length, how) => {
      const from = begin % (secret.length - 7)
      const part = secret.slice(from, from + 8 + (length % 40))
      const shown = new SecretRedactor([`test_${secret}`]).text(`before «${written(part, how)}» after`)
      expect(shown).toMatch(/^before «.*» after$/s)
      expect(readings(shown, how).flatMap((text) => runsIn(text, secret))).toEqual([])
    }),
    { numRuns: cases(300, 30) },
  )
})

test.each(nonEmpty(groupings))('no 8 characters of a key survive $name', (grouping) => {
  const pair = fc.tuple(fc.constantFrom(...'bcdfghjkmpqvwxz'), fc.constantFrom(...'23456789'))
  const mixed = fc.array(pair, { minLength: 6, maxLength: 20 }).map((pairs) => pairs.flat().join(''))
  fc.assert(
    fc.property(mixed, one([...escapings, ...packings]), (secret, how) => {
      const shown = new SecretRedactor([`test_${secret}`]).text(`(${written(secret, [grouping, how])})`)
      expect(readings(shown, [grouping, how]).flatMap((text) => runsIn(text, secret))).toEqual([])
    }),
    { numRuns: cases(40, 8) },
  )
})

test('a text of JSON stays JSON when a key is redacted in it', () => {
  fc.assert(
    fc.property(anySecret, one(escapings), fc.string(), fc.string(), (secret, { write }, before, after) => {
      const body = JSON.stringify({ text: `${before}${write(secret)}${after}` })
      expect(() => JSON.parse(new SecretRedactor([`test_${secret}`]).text(body))).not.toThrow()
    }),
    { numRuns: cases(200, 50) },
  )
})

test('words and dates that only together look like a key stay readable', () => {
  const redactor = new SecretRedactor(['test_approvalworkflow', 'test_line\nbreak', 'test_20251122_1a2b3c4d'])
  for (const text of [
    'the approval workflow',
    'approval: workflow',
    'a line break',
    '2025-11-22T10:15:00Z',
    '20 25 11 22',
  ]) {
    expect(redactor.text(text)).toBe(text)
  }
})

test('signatures are found in texts of up to 300,000 characters', () => {
  const url = 'https://a.test/?X-Amz-Signature=0123456789abcdef0123456789abcdef '
  const found = [300_000, 300_001].map((length) => signaturesIn(url.padEnd(length)).length)
  expect(found).toEqual([1, 0])
})
