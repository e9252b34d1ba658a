import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples } from '../../src/contract/examples.gen.ts'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import type { components, paths } from '../../src/contract/types.gen.ts'
import { mustKeepContract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { startPrism } from '../support/prism.ts'
import { execution, service, workflow } from '../support/service.ts'

type Schemas = components['schemas']

let prism: Awaited<ReturnType<typeof startPrism>>

beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [, ...args] = scripts['mock:static'].split(' ')
  prism = await startPrism(...args)
})

afterAll(() => prism.close())

/** Sends a request to Prism. Fails unless the answer matches the contract. */
async function checked(request: Request): Promise<Response> {
  const response = await fetch(request.clone())
  await mustKeepContract(request, response)
  return response
}

test("the client's types match the answers of Prism", async () => {
  const headers = { Authorization: 'test_static' }
  const client = createClient<paths>({ baseUrl: prism.url, headers, fetch: checked })
  const path = { workflow_id: 'wf_2c8v5n1k7d4x9m3q' }
  const file = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: 48213 }

  const created = await client.POST('/api/v1/workflows', { body: workflow() as Schemas['WorkflowRequest'] })
  const upload = await client.POST('/api/v1/upload/', { body: file })
  const { session_id = '', key = '' } = upload.data ?? {}
  const files = [{ key, file_name: file.file_name }]
  const document = await client.POST('/api/v1/upload/confirm', { body: { session_id, completed_files: files } })
  const { document_id = '' } = document.data ?? {}
  const body = execution(document_id) as Schemas['ExecutionRequest']
  const executed = await client.POST('/api/v1/workflows/{workflow_id}/execute', { params: { path }, body })
  const details = await client.GET('/api/v1/workflows/{workflow_id}', { params: { path } })

  expect([created, upload, document, executed, details].map(({ response }) => response.status)).toEqual([
    201, 200, 200, 202, 200,
  ])
  expect(created.data?.workflow_id).toBe(path.workflow_id)
  expect(upload.data?.headers['Content-Type']).toBe(file.content_type)
  expect(executed.data?.steps[0]?.routing?.candidates[0]?.expected_minutes).toBe(120)
  expect(details.data?.execution_metrics.total).toBe(0)
})

/** A well-formed request for each call. */
const requests: Record<OperationId, { path: string; type?: string; body?: string }> = {
  createWorkflow: json('workflows', workflow()),
  getWorkflow: { path: '/api/v1/workflows/wf_1' },
  executeWorkflow: json('workflows/wf_1/execute', execution('doc_1')),
  requestUpload: json('upload/', { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }),
  confirmUpload: json('upload/confirm', {
    session_id: '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11',
    completed_files: [{ key: 'tenants/1', file_name: '1' }],
  }),
  putObject: {
    path: '/storage/tenants/1/uploads/2/a.pdf?X-Amz-Date=20260301T090000Z&X-Amz-Expires=900&X-Amz-Signature=0f5c6e',
    type: 'application/pdf',
    body: 'text',
  },
}

function json(path: string, body: unknown) {
  return { path: `/api/v1/${path}`, type: 'application/json', body: JSON.stringify(body) }
}

const preferences = (Object.keys(examples) as OperationId[]).flatMap((id) =>
  Object.entries(examples[id]).flatMap(([status, { examples: named }]) =>
    Object.entries(named).map(([example, value]) => ({ id, status, example, value })),
  ),
)

test('with Prefer, Prism and the mock give the same examples', async () => {
  const { send, key } = service()
  for (const { id, status, example, value } of nonEmpty(preferences)) {
    const { path, type, body } = requests[id]
    const { method, needsKey } = operations[id]
    const headers = {
      Prefer: `code=${status}, example=${example}`,
      ...(needsKey && { Authorization: key }),
      ...(type && { 'Content-Type': type }),
    }
    const init = { method, headers, ...(body && { body }) }
    const [theirs, ours] = [
      await checked(new Request(prism.url + path, init)),
      await send(new Request(`http://mock.test${path}`, init)),
    ]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect([theirs.status, await theirs.text()], `${id} ${status} ${example}`).toEqual([Number(status), text])
    // The mock's storage ignores Prefer for an address that it has not signed.
    if (needsKey) expect([ours.status, ours.text]).toEqual([Number(status), text])
  }
  expect(preferences.length).toBeGreaterThan(20)
})
