import { expect, test } from 'vitest'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'
import { learnDeployment } from '../../src/learn/learn-deployment.ts'
import { freshKey } from '../support/service.ts'

/** Learns a mock whose approvers decide in a way, and whose clock moves on with each read. */
async function learnApprovers(approvers: 'auto' | 'instant' | 'manual') {
  const mock = createMock({ approvers, clockSpeed: 0 })
  const { profile } = await learnDeployment({
    url: 'http://there.test',
    apiKey: freshKey(),
    fetch: async (request) => {
      const answer = await mock.fetch(request)
      if (request.method === 'GET') mock.advance('PT3M')
      return answer
    },
    gaps: false,
    time: virtualTime(),
    onStage: () => {},
  })
  return profile.approvers
}

test.each(['auto', 'instant', 'manual'] as const)(
  'executions that go on as with %s approvers are learned',
  async (approvers) => {
    expect(await learnApprovers(approvers)).toBe(approvers)
  },
)
