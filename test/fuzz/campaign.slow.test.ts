import { expect, test } from 'vitest'
import { adminOperations } from '../../src/contract/admin-operations.gen.ts'
import { operations } from '../../src/contract/operations.ts'
import { campaign } from './campaign.ts'

const requests = 3000

test('no random or mutated request gets a 5xx, or an answer outside the contract', async () => {
  const { sent, accepted } = await campaign({ requests, seed: 1 })
  expect(sent).toBe(requests)
  expect(Object.keys(accepted).sort()).toEqual([...Object.keys(operations), ...Object.keys(adminOperations)].sort())
})
