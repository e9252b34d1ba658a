/** A program that uses the installed package. It must compile under `strict`, and run. */
import { createMock } from 'countersign'
import { type ClientError, createClient, dataOf } from 'countersign/client'
import { type HandlerOptions, handlers } from 'countersign/msw'
import { startMock } from 'countersign/node'
import type { components } from 'countersign/types'
import { setupServer } from 'msw/node'

const options: HandlerOptions = { baseUrl: 'http://approvals.example', seed: 7, approvers: 'manual' }
const size = 20_000_000
const file = new File([new Uint8Array(size)], 'contract.pdf', { type: 'application/pdf' })
const definition: components['schemas']['WorkflowRequest'] = {
  name: 'Supplier contract',
  steps: [
    {
      step_id: 'legal',
      name: 'Legal review',
      order: 1,
      type: 'approval',
      approvers: [{ email: 'lena@example.com', name: 'Lena' }],
      estimated_duration: 120,
    },
  ],
}

/** Runs the whole flow, with upload progress. */
async function runFlow(where: string, client: ReturnType<typeof createClient>, approve: (id: string) => unknown) {
  let reports = 0
  const onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
    reports += Number(loaded <= total)
  }
  const { workflow_id } = await dataOf(client.POST('/api/v1/workflows', { body: definition }))
  const { document_id } = await client.uploadDocument(file, { onProgress })
  const { data, error } = await client.POST('/api/v1/workflows/{workflow_id}/execute', {
    params: { path: { workflow_id } },
    body: { document_id, submitter_email: 'sam@example.com' },
  })
  if (!data) throw new Error(error.code)
  approve(data.execution_id)
  const { status } = await client.waitForExecution(data, { delayMs: 10 })
  if (status !== 'approved' || reports < 10) throw new Error(`${where}: ${status}, progress reported ${reports} times`)
  const code = await client.waitForExecution({ ...data, workflow_id: 'wf_none' }).then(
    () => 'none',
    (thrown: ClientError) => thrown.code,
  )
  if (code !== 'workflow-not-found') throw new Error(`${where}: ${code}`)
  process.stdout.write(`${where}: ${size / 1e6} MB in ${reports} steps, then ${status}\n`)
}

const network = setupServer(...handlers(options))
network.listen()
const approve = (id: string) =>
  fetch(`http://approvals.example/__admin/executions/${id}/decision`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ step_id: 'legal', decision: 'approved', approver_email: 'lena@example.com' }),
  })
await runFlow('MSW', createClient({ baseUrl: 'http://approvals.example', apiKey: 'test_msw' }), approve)
network.close()

const mock = createMock({ approvers: 'manual' })
const plain = createClient({ baseUrl: 'http://mock.test', apiKey: 'test_plain', fetch: mock.fetch })
await runFlow('plain fetch', plain, (executionId) =>
  mock.decide({ execution_id: executionId, step_id: 'legal', decision: 'approved' }),
)

const server = await startMock({ approvers: 'instant', storagePort: 0 })
await runFlow('server', createClient({ baseUrl: server.url, apiKey: 'test_server' }), () => {})
await server.close()
