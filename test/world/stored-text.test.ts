import { expect, test } from 'vitest'
import { storeText } from '../../src/world/stored-text.ts'

/** Returns a text of at least `length` characters that differs from others. */
const textOf = (length: number, letter: string) => `{"${length}":"${letter.repeat(length)}"}`

test('texts are read as they were stored, whatever was stored in between', () => {
  const lengths = [0, 1, 700, 2730, 2731, 3000, 21_845, 70_000]
  // Enough to fill several pages.
  const texts = Array.from({ length: 400 }, (_, index) =>
    textOf(lengths[index % 8] ?? 0, ['a', 'ü', '€', '🖋'][index % 4] ?? ''),
  )
  const stored = texts.map(storeText)
  expect(stored.map((text) => text.read())).toEqual(texts)
  expect(stored.map(({ size }) => size)).toEqual(texts.map((text) => Buffer.byteLength(text)))
})

test('an empty text is stored', () => {
  expect(storeText('').read()).toBe('')
})
