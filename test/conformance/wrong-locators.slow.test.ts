import { expect, test } from 'vitest'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeAnswer } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

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
})

test('correct locators are no error', async () => {
  const locators = { workflow_id: '/workflow_id', session_id: '/session_id', execution_metrics: '/execution_metrics' }
  expect(await runOn(createMock().fetch, { profile: { locators } })).not.toHaveProperty('profileFlaws')
})

test('a located document that no execution accepts leads to its locator', async () => {
  const confirmed = changeAnswer('confirmUpload', ({ document_id }) => ({ done: { id: document_id, part: 'whole' } }))
  const profile = { locators: { document_id: '/done/part' }, settleSeconds: 0 }
  const { verdict, checks } = await runOn(confirmed(createMock().fetch), { profile })
  const found = checks.find(({ id }) => id === 'flow.document-id-refers-to-upload')
  expect(verdict).toBe('undecided')
  expect(found?.message).toMatch(/Correct locators\.document_id of the profile, which is \/done\/part\.$/)
})
