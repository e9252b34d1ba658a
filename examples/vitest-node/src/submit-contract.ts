import { type Client, dataOf, type WorkflowExecution } from 'countersign/client'
import type { components } from 'countersign/types'

const workflow: components['schemas']['WorkflowRequest'] = {
  name: 'Supplier contract',
  steps: [
    {
      step_id: 'legal',
      name: 'Legal review',
      order: 1,
      type: 'approval',
      approvers: [{ email: 'lena@example.com', name: 'Lena Ortiz' }],
      estimated_duration: 120,
    },
    {
      step_id: 'finance',
      name: 'Finance sign-off',
      order: 2,
      type: 'approval',
      approvers: [{ email: 'ines@example.com', name: 'Ines Roth' }],
      estimated_duration: 45,
    },
  ],
}

/** Stands for the application under test: sends a contract to legal and finance. */
export async function submitContract(client: Client, contract: File): Promise<WorkflowExecution> {
  const { workflow_id } = await dataOf(client.POST('/api/v1/workflows', { body: workflow }))
  const { document_id } = await client.uploadDocument(contract)
  const body = { document_id, submitter_email: 'sam@example.com' }
  const params = { path: { workflow_id } }
  return dataOf(client.POST('/api/v1/workflows/{workflow_id}/execute', { params, body }))
}
