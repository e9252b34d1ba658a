/**
 * The typed client, for the mock and for any deployment. Runs in Node and in browsers.
 *
 * @module countersign/client
 */
import { type Calls, type ClientOptions, createCalls } from './calls.ts'
import { type ConfirmedDocument, type UploadOptions, uploadDocument } from './upload.ts'
import { type WaitOptions, type WorkflowExecution, waitForExecution } from './wait.ts'

export { dataOf } from './calls.ts'
export { ClientError, type ErrorCode, type ProblemDetails } from './error.ts'
export type { UploadProgress } from './put-file.ts'
export type { RetryOptions } from './retry.ts'
export type { ClientOptions, ConfirmedDocument, UploadOptions, WaitOptions, WorkflowExecution }

/** A client of the service: its calls, typed by the contract, and two tasks that take several calls. */
export interface Client extends Calls {
  /**
   * Uploads a document in the three documented steps, and resolves with the confirmed document. Repeats a step that failed
   * without an answer, or with 429 or 5xx. Rejects with a `ClientError`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   * import { createClient } from 'countersign/client'
   *
   * const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_a', fetch: createMock().fetch })
   * const file = new File(['Hello'], 'hello.txt', { type: 'text/plain' })
   * const { document_id } = await client.uploadDocument(file, { onProgress: ({ loaded }) => console.log(loaded) })
   * console.log(document_id)
   * ```
   */
  uploadDocument(file: Blob & { readonly name?: string }, options?: UploadOptions): Promise<ConfirmedDocument>
  /**
   * Reads the workflow until an execution is approved or rejected, and resolves with it. Rejects with a `ClientError`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   * import { createClient, dataOf } from 'countersign/client'
   *
   * const { fetch } = createMock({ approvers: 'instant' })
   * const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_a', fetch })
   * const approvers = [{ email: 'lena@example.com', name: 'Lena' }]
   * const step = { step_id: 'legal', name: 'Legal', order: 1, approvers, estimated_duration: 60 }
   * const { workflow_id } = await dataOf(
   *   client.POST('/api/v1/workflows', { body: { name: 'Contract', steps: [{ ...step, type: 'approval' }] } }),
   * )
   * const { document_id } = await client.uploadDocument(new File(['Hello'], 'hello.txt'))
   * const params = { path: { workflow_id } }
   * const body = { document_id, submitter_email: 'sam@example.com' }
   * const started = await dataOf(client.POST('/api/v1/workflows/{workflow_id}/execute', { params, body }))
   * const { status } = await client.waitForExecution(started, { timeoutMs: 10_000 })
   * console.log(status) // approved
   * ```
   */
  waitForExecution(
    execution: Pick<WorkflowExecution, 'workflow_id' | 'execution_id'>,
    options?: WaitOptions,
  ): Promise<WorkflowExecution>
}

/**
 * Creates a client. Sends nothing before the first call.
 *
 * In Node, each connection is checked by the address that it goes to, because the service chooses where a file is uploaded: a
 * service at a public address cannot direct `uploadDocument` to a private network, this machine or a cloud's metadata. In
 * browsers, their own rules hold instead. A `fetch` of your own is not checked.
 *
 * @example
 * ```js
 * import { createClient } from 'countersign/client'
 * import { startMock } from 'countersign/node'
 *
 * const mock = await startMock()
 * const client = createClient({ baseUrl: mock.url, apiKey: 'test_a' })
 * const params = { path: { workflow_id: 'wf_1' } }
 * const { data, error } = await client.GET('/api/v1/workflows/{workflow_id}', { params })
 * console.log(data, error?.code) // undefined workflow-not-found
 * await mock.close()
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const calls = createCalls(options)
  return {
    ...calls,
    uploadDocument: (file, upload) => uploadDocument(calls, options.fetch, file, upload),
    waitForExecution: (execution, wait) => waitForExecution(calls, execution, wait),
  }
}
