import { expect, test } from 'vitest'
import { submitContract } from '../src/submit-contract.ts'
import { contract } from './contract.ts'
import { ownWorld } from './own-world.ts'

test('a contract that legal rejects never reaches finance', async () => {
  const { client, decide } = ownWorld()
  const execution = await submitContract(client, contract)
  await decide(execution, 'legal', 'lena@example.com', 'rejected')
  const { status, steps } = await client.waitForExecution(execution)
  expect([status, ...steps.map((step) => step.status)]).toEqual(['rejected', 'rejected', 'skipped'])
})

test('a contract that legal approves goes to finance, who may reject it', async () => {
  const { client, decide } = ownWorld()
  const execution = await submitContract(client, contract)
  await decide(execution, 'legal', 'lena@example.com', 'approved')
  await decide(execution, 'finance', 'ines@example.com', 'rejected')
  expect(await client.waitForExecution(execution)).toMatchObject({ status: 'rejected' })
})
