import { expect, test } from 'vitest'
import { documentedCalls, documentedOptions } from './support/doc-examples.ts'
import { nonEmpty } from './support/non-empty.ts'

const options = documentedOptions()
const calls = documentedCalls()

test.each(nonEmpty([...calls, ...options]))('$name has a doc comment with an example', ({ comment, example }) => {
  expect(comment, 'Say what it does, with units.').toMatch(/\/\*\*\s*\*?\s*[A-Z]/)
  expect(example, 'Add @example: a block of js for a call, `{ … }` for an option.').toBeTruthy()
})

const optional = options.filter(
  ({ name }) => !/\.(baseUrl|url|apiKey)$/.test(name) || name === 'HandlerOptions.baseUrl',
)

test.each(nonEmpty(optional))('$name has a default', ({ comment }) => {
  expect(comment, 'Add @default.').toContain('@default')
})
