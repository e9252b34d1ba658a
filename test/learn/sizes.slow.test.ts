import { expect, test } from 'vitest'
import { contractProfile } from '../../conformance/selftest/contract-profile.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'
import { learnDeployment } from '../../src/learn/learn-deployment.ts'
import { freshKey } from '../support/service.ts'

test('a deployment that compares sizes at the confirmation is learned', async () => {
  const refusal = {
    status: 422,
    headers: { 'content-type': 'application/json' },
    body: { error: 'size_mismatch', stored: { $: '/object/size' } },
  }
  const like = {
    ...contractProfile,
    approvers: 'manual',
    accepts: ['putObject SignatureDoesNotMatch length'],
    refusals: { ...contractProfile.refusals, 'object-of-other-size': refusal },
  } as const
  const { profile, likeness } = await learnDeployment({
    url: 'http://there.test',
    apiKey: freshKey(),
    fetch: createMock({ cors: false, clockSpeed: 0, like }).fetch,
    time: virtualTime(),
    onStage: () => {},
  })
  expect(profile.refusals?.['object-of-other-size']).toEqual(refusal)
  expect(likeness?.differences.filter(({ call }) => call.includes('part of'))).toEqual([])
})
