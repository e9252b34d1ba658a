import { expect, test } from 'vitest'
import { adminOperations, operations } from '../../src/contract/operations.ts'
import { campaign } from './campaign.ts'

test('no random or mutated request gets a 5xx, or an answer outside the contract', async () => {
  const { sent, accepted } = await campaign({ requests: 3000, seed: 1 })
  expect(sent).toBe(3000)
  expect(Object.keys(accepted).sort()).toEqual([...Object.keys(operations), ...Object.keys(adminOperations)].sort())
})
