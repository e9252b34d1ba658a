import { createMock } from 'countersign'
import { createClient } from 'countersign/client'
import { expect, test } from 'vitest'
import { submitContract } from '../src/submit-contract.ts'
import { contract } from './contract.ts'

/** A mock without a port: the client calls a function, and the test controls the mock by its methods. */
function inProcess() {
  const mock = createMock({ clockSpeed: 0 })
  const client = createClient({ baseUrl: 'http://mock.test', apiKey: 'test_in_process', fetch: mock.fetch })
  return { mock, client }
}

test('legal decides by hand, finance in its own time, alike with each seed and key', async () => {
  const { mock, client } = inProcess()
  const execution = await submitContract(client, contract)
  mock.decide({ execution_id: execution.execution_id, step_id: 'legal', decision: 'approved' })
  mock.advance('P7D')
  expect(await client.waitForExecution(execution)).toMatchObject({ status: 'approved' })
})

test('the same seed and key give the same identifiers', async () => {
  const [one, other] = [inProcess(), inProcess()]
  const [first, second] = [await submitContract(one.client, contract), await submitContract(other.client, contract)]
  expect(second.execution_id).toBe(first.execution_id)
})
