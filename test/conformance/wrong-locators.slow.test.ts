import { expect, test } from 'vitest'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeAnswer } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

/** The check that names a locator without a value. */
const checkOf: Readonly<Record<string, string>> = {
  workflow_id: 'get-workflow.method-and-path',
  upload_url: 'upload.answers-upload-url',
  session_id: 'upload.answers-session-id',
  key: 'completed-file.key',
  document_id: 'flow.document-id-refers-to-upload',
  execution_metrics: 'details.execution-metrics',
}

test.each([
  [
    'workflow_id',
    '/name',
    /^locators\.workflow_id is \/name, which holds "conf.*"; discovery finds "wf_\w+" at \/workflow_id\.$/,
  ],
  ['workflow_id', '/nowhere', /which has no value; discovery finds "wf_\w+" at \/workflow_id\.$/],
  [
    'session_id',
    '/key',
    /^locators\.session_id is \/key, which holds "tenants.*; discovery finds ".*" at \/session_id\.$/,
  ],
  ['key', '/session_id', /discovery finds "tenants.* at \/key\.$/],
  ...['upload_url', 'session_id', 'key', 'document_id'].map((name): [string, string, RegExp] => [
    name,
    '/nowhere',
    /which has no value; discovery finds ".* at /,
  ]),
  ['document_id', '/status', /discovery finds ".*" at confirm\/document_id\.$/],
  ['bottlenecks', '/nowhere', /which has no value; discovery finds .* at \/.*bottlenecks\.$/],
  ['success_rate', '/name', /which holds "conf.*"; discovery finds .* at \/.*success_rate\.$/],
  ['completion_time', '/name', /which holds "conf.*"; discovery finds .* at \/.*completion.*\.$/],
  ['execution_metrics', '/nowhere', /which has no value; discovery finds .* at \/execution_metrics\.$/],
])('locators.%s as %s is an error of the profile', async (name, pointer, flaw) => {
  const { verdict, checks, profileFlaws } = await runOn(createMock().fetch, {
    profile: { locators: { [name]: pointer }, settleSeconds: 0 },
  })
  expect([verdict, profileFlaws]).toEqual(['undecided', [expect.stringMatching(flaw)]])
  expect(checks.filter((check) => check.verdict === 'fail')).toEqual([])
  if (pointer !== '/nowhere' || checkOf[name] === undefined) return
  const why = `The answer has no value at ${pointer}, which is locators.${name} of the profile. Correct or remove`
  expect(checks.find(({ id }) => id === checkOf[name])?.message).toBe(`${why} the locator.`)
})

test('correct locators are used', async () => {
  const names = ['workflow_id', 'key', 'document_id', 'session_id', 'execution_metrics']
  const locators = Object.fromEntries(names.map((name) => [name, `/${name}`]))
  const result = await runOn(createMock().fetch, { profile: { locators } })
  expect(result.verdict).toBe('conforming')
  expect(result).not.toHaveProperty('profileFlaws')
})

test('a located document that no execution accepts leads to its locator', async () => {
  const confirmed = changeAnswer('confirmUpload', ({ document_id }) => ({ done: { id: document_id, part: 'whole' } }))
  const profile = { locators: { document_id: '/done/part' }, settleSeconds: 0 }
  const { verdict, checks } = await runOn(confirmed(createMock().fetch), { profile })
  const found = checks.find(({ id }) => id === 'flow.document-id-refers-to-upload')
  expect(verdict).toBe('undecided')
  expect(found?.message).toMatch(/Correct locators\.document_id of the profile, which is \/done\/part\.$/)
})
