import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonPieces, JsonPiecesError } from '../../src/world/json-pieces.ts'
import { cases } from '../support/sample.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Reads a list of objects, one member at a time. */
function read(bytes: Uint8Array): unknown[] {
  const pieces = new JsonPieces(bytes)
  const items: unknown[] = []
  for (const _ of pieces.items('[')) {
    const members: [string, unknown][] = []
    for (const name of pieces.items('{')) members.push([name, pieces.value()])
    items.push(Object.fromEntries(members))
  }
  pieces.end()
  return items
}

const lists = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), {
  maxLength: 3,
})

test('any list of objects reads as JSON.parse reads it, with any spaces', () => {
  fc.assert(
    fc.property(lists, fc.constantFrom(undefined, 1, '\t', '\r\n '), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(read(encode(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('a damaged text reads as JSON.parse reads it, or both refuse it', () => {
  const damage = fc.record({
    at: fc.nat(),
    remove: fc.nat(3),
    insert: fc.constantFrom('', '"', ',', '}', ']', '{', '\\'),
  })
  fc.assert(
    fc.property(lists, damage, (value, { at, remove, insert }) => {
      const text = JSON.stringify(value)
      const start = at % text.length
      const damaged = text.slice(0, start) + insert + text.slice(start + remove)
      let items: unknown[] | undefined
      try {
        items = read(encode(damaged))
      } catch (error) {
        expect(error).toBeInstanceOf(JsonPiecesError)
      }
      // It may refuse lists of other values, which JSON permits, but reads nothing that is not JSON.
      if (items) expect(items).toEqual(JSON.parse(new TextDecoder().decode(encode(damaged))))
    }),
    { numRuns: cases(2000, 100), examples: [[[], { at: 1, remove: 0, insert: ']' }]] },
  )
})

test('a value beyond the limit is refused without being parsed', () => {
  const pieces = new JsonPieces(encode(`"${'x'.repeat(100)}"`))
  expect(() => pieces.value(50)).toThrow('more than 50 bytes')
})
