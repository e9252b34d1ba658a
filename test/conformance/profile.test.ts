import { expect, test } from 'vitest'
import { flawOf } from '../../src/profile/profile.ts'

test.each([
  ['[]', /is not an object/],
  ['{"colour":"red"}', /the field 'colour' is unknown/],
  ['{"locators":{"id":"/id"}}', /in locators the field 'id' is unknown/],
  ['{"locators":{"key":"key"}}', /locators.key is not a JSON Pointer/],
  ['{"settleSeconds":-1}', /settleSeconds is not a number/],
  ['{"testKeyPattern":"("}', /not a regular expression/],
])('the profile %s is refused with a reason', (text, reason) => {
  expect(flawOf(JSON.parse(text))).toMatch(reason)
})

test('a profile that is nested too deeply is refused with a reason', () => {
  const deep: unknown = JSON.parse(`{"answers":${'['.repeat(3000)}${']'.repeat(3000)}}`)
  expect(flawOf(deep)).toBe('it is nested more than 500 levels deep')
})
