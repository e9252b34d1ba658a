import { expect, test } from 'vitest'
import { documentedCalls, documentedOptions } from './support/doc-examples.ts'
import { nonEmpty } from './support/non-empty.ts'

const options = documentedOptions()
const all = nonEmpty([...documentedCalls(), ...options])
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

test('calls and options have doc comments with an example', () => {
  const silent = all.filter(({ comment }) => !/\/\*\*\s*\*?\s*[A-Z]/.test(comment))
  expect(namesOf(silent), 'Say what it does, with units.').toEqual([])
  const bare = all.filter(({ example }) => !example)
  expect(namesOf(bare), 'Add @example: a block of js for a call, `{ … }` for an option.').toEqual([])
})

const optional = options.filter(
  ({ name }) => !/\.(baseUrl|url|apiKey)$/.test(name) || name === 'HandlerOptions.baseUrl',
)

test('options that may be left out say their default', () => {
  const without = nonEmpty(optional).filter(({ comment }) => !comment.includes('@default'))
  expect(namesOf(without), 'Add @default.').toEqual([])
})
