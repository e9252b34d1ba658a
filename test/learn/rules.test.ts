import { expect, test } from 'vitest'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'
import { learnDeployment } from '../../src/learn/learn-deployment.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { freshKey } from '../support/service.ts'

/** Learns a mock with these rules, and returns the rules that were learned. */
async function learnRules(rules: Omit<Profile, 'version'>) {
  const mock = createMock({ clockSpeed: 0, like: { version: 1, approvers: 'manual', ...rules } })
  const { profile, likeness } = await learnDeployment({
    url: 'http://there.test',
    apiKey: freshKey(),
    fetch: mock.fetch,
    time: virtualTime(),
    onStage: () => {},
  })
  const { accepts = [], refuses = [], cors = {} } = profile
  return { accepts, refuses, cors, share: likeness && likeness.agreeing / likeness.places }
}

test('a storage that accepts anything is learned', async () => {
  const accepts = [
    'putObject AccessDenied encoding',
    'putObject BadDigest',
    'putObject InvalidArgument',
    'putObject PreconditionFailed',
    'putObject SignatureDoesNotMatch length',
    'putObject SignatureDoesNotMatch type',
  ]
  const learned = await learnRules({ accepts })
  expect(learned).toMatchObject({ accepts, refuses: [], cors: {} })
  expect(learned.share).toBeGreaterThan(0.99)
})

test('rules that are stricter than those of the contract are learned', async () => {
  const refuses = [
    'createWorkflow additionalProperties',
    'createWorkflow maxLength /name',
    'createWorkflow unique /steps/*/order',
    'executeWorkflow enum /priority low',
    'putObject again',
    'requestUpload minimum /file_size',
  ]
  const learned = await learnRules({ refuses, accepts: ['file-too-large'] })
  expect(learned).toMatchObject({ accepts: ['file-too-large'], refuses })
  expect(learned.share).toBeGreaterThan(0.99)
})

test.each([
  [false, false],
  [true, false],
  [false, true],
])('other origins may call the service: %s, and storage: %s', async (service, storage) => {
  expect((await learnRules({ cors: { service, storage } })).cors).toEqual({ service, storage })
})

test('without rules of its own, a deployment has those of the contract', async () => {
  const learned = await learnRules({})
  expect(learned).toMatchObject({ accepts: [], refuses: [], cors: {} })
  // An identifier that is drawn without a digit looks like a word.
  expect(learned.share).toBeGreaterThan(0.99)
})
