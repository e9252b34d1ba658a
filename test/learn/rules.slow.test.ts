import { expect, test } from 'vitest'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'
import { learnDeployment } from '../../src/learn/learn-deployment.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { nonEmpty } from '../support/non-empty.ts'
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
  return {
    rules: { accepts, refuses, cors },
    approvers: profile.approvers,
    share: likeness ? likeness.agreeing / likeness.places : 0,
  }
}

/** The rules of a deployment, and what describes them. Each deployment takes long to learn, so it has several rules of its own. */
const deployments = [
  ['those of the contract', {}],
  [
    'a storage that accepts anything, and no call from other origins',
    {
      cors: { service: false, storage: false },
      accepts: [
        'putObject AccessDenied encoding',
        'putObject BadDigest',
        'putObject InvalidArgument',
        'putObject PreconditionFailed',
        'putObject SignatureDoesNotMatch length',
        'putObject SignatureDoesNotMatch type',
      ],
    },
  ],
  [
    'stricter ones than the contract, and only uploads from other origins',
    {
      cors: { service: false, storage: true },
      accepts: ['file-too-large'],
      refuses: [
        'OPTIONS',
        'createWorkflow additionalProperties',
        'createWorkflow maxLength /name',
        'createWorkflow required /description',
        'createWorkflow unique /steps/*/order',
        'executeWorkflow enum /priority low',
        'putObject again',
        'requestUpload minimum /file_size',
      ],
    },
  ],
  [
    'priorities of its own, and no upload from other origins',
    {
      cors: { service: true, storage: false },
      accepts: ['executeWorkflow enum /priority critical', 'executeWorkflow enum /priority medium'],
      refuses: ['executeWorkflow enum /priority normal'],
    },
  ],
  [
    'a type of steps of its own, and credentials of pages',
    {
      cors: { service: true, storage: true, credentials: true },
      accepts: ['createWorkflow enum /steps/*/type review'],
    },
  ],
] as const satisfies readonly (readonly [string, Omit<Profile, 'version'>])[]

test.each(nonEmpty(deployments))('learned: %s', async (_, rules) => {
  const learned = await learnRules(rules)
  expect(learned.approvers).toBe('manual')
  expect(learned.rules).toMatchObject({ accepts: [], refuses: [], ...rules })
  if (!('cors' in rules)) expect(learned.rules.cors).toEqual({})
  // An identifier that is drawn without a digit looks like a word.
  expect(learned.share).toBeGreaterThan(0.99)
})
