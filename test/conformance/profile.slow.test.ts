import { expect, test } from 'vitest'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { createMock } from '../../src/index.ts'
import { flawOf } from '../../src/profile/profile.ts'

test.each([
  ['workflow_id', 'get-workflow.method-and-path'],
  ['upload_url', 'upload.answers-upload-url'],
  ['session_id', 'upload.answers-session-id'],
  ['key', 'completed-file.key'],
  ['document_id', 'flow.document-id-refers-to-upload'],
  ['execution_metrics', 'details.execution-metrics'],
])('a locator of %s that finds nothing leaves the run undecided', async (name, id) => {
  const { verdict, checks } = await runOn(createMock().fetch, { profile: { locators: { [name]: '/nowhere' } } })
  expect(verdict).toBe('undecided')
  expect(checks.filter((check) => check.verdict === 'fail')).toEqual([])
  const message = checks.find((check) => check.id === id)?.message
  expect(message).toBe(
    `The answer has no value at /nowhere, which is locators.${name} of the profile. Correct or remove the locator.`,
  )
})

test('correct locators are used', async () => {
  const locators = { workflow_id: '/workflow_id', key: '/key', document_id: '/document_id', session_id: '/session_id' }
  expect((await runOn(createMock().fetch, { profile: { locators } })).verdict).toBe('conforming')
})

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
