import { createMock } from 'countersign'
import { createClient } from 'countersign/client'
import { handlers } from 'countersign/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submitContract } from '../src/submit-contract.ts'
import { contract } from './contract.ts'

const baseUrl = 'https://approvals.example'
const mock = createMock({ clockSpeed: 0 })
const server = setupServer(...handlers({ baseUrl, mock }))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('MSW answers what the application sends to its deployment', async () => {
  const apiKey = `test_${crypto.randomUUID()}`
  const client = createClient({ baseUrl, apiKey })
  const execution = await submitContract(client, contract)
  mock.decide({ execution_id: execution.execution_id, step_id: 'legal', decision: 'rejected' }, apiKey)
  expect(await client.waitForExecution(execution)).toMatchObject({ status: 'rejected' })
})
