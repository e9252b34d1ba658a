import { expect, test } from 'vitest'
import { submitContract } from '../src/submit-contract.ts'
import { contract } from './contract.ts'
import { ownWorld } from './own-world.ts'

test('a contract waits for legal as long as no time passes', async () => {
  const { client } = ownWorld()
  const { steps } = await submitContract(client, contract)
  expect(steps.map(({ status }) => status)).toEqual(['assigned', 'waiting'])
})

test('a contract has been decided when its approvers have had a week', async () => {
  const { client, advance } = ownWorld()
  const execution = await submitContract(client, contract)
  await advance('P7D')
  expect(await client.waitForExecution(execution)).toMatchObject({ completed_at: expect.any(String) })
})

test('a contract is approved when all approvers approve', async () => {
  const { client, decide } = ownWorld()
  const execution = await submitContract(client, contract)
  await decide(execution, 'legal', 'lena@example.com', 'approved')
  await decide(execution, 'finance', 'ines@example.com', 'approved')
  expect(await client.waitForExecution(execution)).toMatchObject({ status: 'approved' })
})

test('a week in one world is no moment in another', async () => {
  const [one, other] = [ownWorld(), ownWorld()]
  const execution = await submitContract(other.client, contract)
  await one.advance('P7D')
  await expect(other.client.waitForExecution(execution, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'timed-out' })
})
