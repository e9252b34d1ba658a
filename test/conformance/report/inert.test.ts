import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sectionTitle, sectionTitles } from '../../../conformance/report/sections.ts'
import { duration } from '../../../conformance/report/tally.ts'
import { showHidden, showHiddenInLines, truncate } from '../../../conformance/wire/inert.ts'
import { character } from '../../support/character.ts'

test.each([
  ['plain', 'plain'],
  ['\x1b[31m', '␛[31m'],
  ['a\r\nb', 'a␍␊b'],
  ['\x7f\x9b', '␡⟨U+009B⟩'],
  ['\u202eexe', '⟨U+202E⟩exe'],
  ['\ud800', '⟨U+D800⟩'],
  ['\u{1f600}é', '\u{1f600}é'],
])('%j is shown as %j', (text, shown) => {
  expect(showHidden(text)).toBe(shown)
})

test('text of several lines keeps its lines', () => {
  expect(showHiddenInLines('a\r\n\tb\rc')).toBe('a\n\tb␍c')
})

test('a cut text is never longer than it may be, and whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: character }), fc.integer({ min: 1, max: 20 }), (text, length) => {
      const short = truncate(text, length)
      expect(short.length).toBeLessThanOrEqual(length)
      expect(short.isWellFormed()).toBe(true)
    }),
  )
})

test('sections have the headings of the interface document', () => {
  const text = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8')
  const headings = [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? (.+)$/gm)].map(([, number, title]) => [number, title])
  expect(sectionTitles).toEqual(Object.fromEntries(headings))
  expect(sectionTitle('RFC 9110, 15.5.2')).toBe('RFC 9110, 15.5.2')
})

test.each([
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [1000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 00 s'],
  [125_000, '2 min 05 s'],
])('%d milliseconds are %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})
