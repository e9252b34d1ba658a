import { expect, test } from 'vitest'
import { deepestJson, isTooDeep } from '../../src/contract/json.ts'
import { validate } from '../../src/contract/validate.ts'

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

test('a value may be nested up to the limit', () => {
  expect([deepestJson, deepestJson + 1].map((depth) => isTooDeep(nested(depth)))).toEqual([false, true])
})

test('a refusal shows a text of up to 40 characters, and counts those of a longer one', () => {
  const validator = Object.assign(() => false, {
    errors: [{ instancePath: '/name', keyword: 'pattern', message: 'is wrong', params: {} }],
  })
  const messages = [40, 41].map((length) => {
    const result = validate(validator, { name: 'é'.repeat(length) })
    return result.valid ? [] : result.violations.map(({ message }) => message)
  })
  expect(messages).toEqual([[`is wrong, but is "${'é'.repeat(40)}"`], ['is wrong, but is a string of 41 characters']])
})
