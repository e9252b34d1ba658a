import { expect, test } from 'vitest'
import { handlers } from '../mocks/handlers.ts'
import { createClient } from '../src/client/index.ts'
import { createMock } from '../src/index.ts'
import { startMock } from '../src/node/index.ts'

// In JavaScript, no compiler refuses these.
const misspelt = { Approvers: 'manual' } as object

test('an option that does not exist is refused, with the one that was meant', async () => {
  const message = "Unknown option 'Approvers'. Did you mean 'approvers'?"
  expect(() => createMock(misspelt)).toThrow(message)
  expect(() => handlers(misspelt)).toThrow(message)
  await expect(startMock(misspelt)).rejects.toThrow(message)
})

test('an option unlike any other is refused with the names of all', () => {
  expect(() => createMock({ speed: 2 } as object)).toThrow(
    /^Unknown option 'speed'\. Use one of seed, approvers, .*onFault\.$/,
  )
})

test('the client, the next answer and persist refuse what they do not know', () => {
  const unknown = { baseUrl: 'https://approvals.example', timeout: 5 }
  expect(() => createClient(unknown)).toThrow("Unknown option 'timeout'. Use one of baseUrl, apiKey, fetch.")
  const answer = { Status: 500, delayMs: 1 } as object
  expect(() => createMock().next('createWorkflow', answer)).toThrow("Unknown option 'Status'. Did you mean 'status'?")
  const elsewhere = { persist: 'sessionStorage' } as object
  expect(() => handlers(elsewhere)).toThrow(
    "Unknown value of persist, 'sessionStorage'. Use 'indexeddb' or 'localStorage'.",
  )
})

test('the reason of a failed connection becomes one sentence', async () => {
  const mock = createMock()
  mock.next('getWorkflow', { connection: 'broken' })
  const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_a', fetch: mock.fetch })
  const calling = client.GET('/api/v1/workflows/{workflow_id}', { params: { path: { workflow_id: 'wf_1' } } })
  await expect(calling).rejects.toThrow(/cannot be reached: [^.]+\. Check the network/)
})
