import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorLineOf } from '../../cli/exit.ts'

test('whatever is thrown becomes one line that says what to do', () => {
  const thrown = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true })
  const errors = fc.string().map((text) => new TypeError(text))
  fc.assert(
    fc.property(fc.oneof(thrown, errors), (error) => {
      expect(errorLineOf(error)).toMatch(/^[^\n]+\.$/)
    }),
    { examples: [[new TypeError('.')]] },
  )
})

test('a sentence of ours stays as it is', () => {
  expect(errorLineOf(new Error('It is full. Empty it.'))).toBe('It is full. Empty it.')
})
