import { expect, test } from 'vitest'
import { contractProfile } from '../../conformance/selftest/contract-profile.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { learned, mockLike } from './lessons.ts'

const refusal = (error: string) => ({ status: { $: '/problem/status' }, headers: {}, body: { error } })

/** What deployments do otherwise than the contract. Each takes long to learn, so it has several rules and forms of its own. */
const deployments = [
  ['nothing that is not in the contract', {}],
  [
    'a storage that accepts anything, other sizes refused, no other origins',
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
      identifiers: { tenant: { $text: ['mandant-', { $new: 'digits', length: 3 }] } },
      refusals: {
        'object-of-other-size': {
          status: 422,
          headers: { 'content-type': 'application/json' },
          body: { error: 'size_mismatch', stored: { $: '/object/size' } },
        },
      },
    },
  ],
  [
    'stricter rules than the contract, only uploads from other origins',
    {
      cors: { service: false, storage: true },
      accepts: ['file-too-large', 'key-with-scheme'],
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
      identifiers: { tenant: { $new: 'uuid' } },
    },
  ],
  [
    'priorities of its own, two refusals of keys, no uploads from elsewhere',
    {
      cors: { service: true, storage: false },
      accepts: ['executeWorkflow enum /priority critical', 'executeWorkflow enum /priority medium'],
      refuses: ['executeWorkflow enum /priority normal'],
      identifiers: { tenant: { $text: ['acme-', { $new: 'lower', length: 7 }] } },
      refusals: {
        'missing-key': refusal('A key is needed.'),
        'not-a-test-key': refusal('The key is not valid.'),
      },
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

test.each(nonEmpty(deployments))('learned: %s', async (_, deployment) => {
  const { refusals = {} }: Partial<Profile> = deployment
  const like = { ...contractProfile, ...deployment, refusals: { ...contractProfile.refusals, ...refusals } }
  const { profile, likeness = { agreeing: 0, places: 1, differences: [] } } = await learned(mockLike(like).fetch)
  const { tenant } = { tenant: undefined, ...profile.identifiers }
  const found = { accepts: [], refuses: [], cors: {}, ...profile, identifiers: { tenant } }
  expect(found).toMatchObject({ accepts: [], refuses: [], identifiers: { tenant: undefined }, ...deployment })
  if (!('cors' in deployment)) expect(found.cors).toEqual({})
  expect(profile.approvers).toBe('manual')
  // An identifier that is drawn without a digit looks like a word.
  expect(likeness.agreeing / likeness.places).toBeGreaterThan(0.99)
  const ofParts = likeness.differences.filter(({ call }) => call.includes('part of'))
  if ('object-of-other-size' in refusals) expect(ofParts).toEqual([])
})
