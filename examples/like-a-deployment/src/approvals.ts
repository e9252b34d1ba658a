import createClient, { type Client } from 'openapi-fetch'
import type { operations, paths } from './api.gen.ts'

/** The deployment's calls. All types come from the contract that was learned of it. */
export type Approvals = Client<paths>

type Answer<
  Of extends 'getWorkflow' | 'executeWorkflow',
  Status extends keyof operations[Of]['responses'],
> = operations[Of]['responses'][Status] extends { content: { 'application/json': infer Body } } ? Body : never

export type Workflow = Answer<'getWorkflow', 200>['data']
export type Execution = Answer<'executeWorkflow', 202>['data']

export function connect(baseUrl: string, apiKey: string): Approvals {
  return createClient<paths>({ baseUrl, headers: { Authorization: apiKey } })
}

/** Reads a workflow. Its number is what `createWorkflow` answered as `data.workflowId`. */
export async function readWorkflow(approvals: Approvals, workflowId: number): Promise<Workflow> {
  const params = { path: { workflow_id: String(workflowId) } }
  const { data, error } = await approvals.GET('/api/v1/workflows/{workflow_id}', { params })
  if (!data) throw new Error(messageOf(error))
  return data.data
}

/** Uploads a file, and starts an execution for it. */
export async function start(
  approvals: Approvals,
  workflow: Workflow,
  file: File,
  submitter: string,
): Promise<Execution> {
  const body = { file_name: file.name, content_type: file.type, file_size: file.size }
  const { data: upload, error } = await approvals.POST('/api/v1/upload/', { body })
  if (!upload) throw new Error(messageOf(error))
  const { upload_url, session_id, key } = upload.data
  const put = await fetch(upload_url, { method: 'PUT', headers: { 'Content-Type': file.type }, body: file })
  if (!put.ok) throw new Error(`The upload was refused with status ${put.status}.`)
  const confirmation = { session_id, completed_files: [{ key, file_name: file.name }] }
  const { data: confirmed, error: unconfirmed } = await approvals.POST('/api/v1/upload/confirm', { body: confirmation })
  if (!confirmed) throw new Error(messageOf(unconfirmed))
  const { data: started, error: refused } = await approvals.POST('/api/v1/workflows/{workflow_id}/execute', {
    params: { path: { workflow_id: String(workflow.workflowId) } },
    body: { document_id: confirmed.data.documentId, submitter_email: submitter },
  })
  if (!started) throw new Error(messageOf(refused))
  return started.data
}

/** Returns the text of a refusal. This deployment says why in `error.message`. */
function messageOf(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: { readonly message?: string } }
  return error?.message ?? 'The deployment refused the call, and did not say why.'
}
