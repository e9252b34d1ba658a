import { type Calls, type ClientOptions, createCalls } from './calls.ts'
import { type ConfirmedDocument, type UploadOptions, uploadDocument } from './upload.ts'
import { type WaitOptions, type WorkflowExecution, waitForExecution } from './wait.ts'

export { dataOf } from './calls.ts'
export { ClientError, type ErrorCode, type ProblemDetails } from './error.ts'
export type { UploadProgress } from './put-file.ts'
export type { RetryOptions } from './retry.ts'
export type { ClientOptions, ConfirmedDocument, UploadOptions, WaitOptions, WorkflowExecution }

/** A client of the service: its calls, typed by the contract, and what takes more than one of them. */
export interface Client extends Calls {
  /** Uploads a document in the three documented steps; gives what confirming it answered, with its `document_id`. */
  uploadDocument(file: Blob & { readonly name?: string }, options?: UploadOptions): Promise<ConfirmedDocument>
  /** Resolves with an execution when it is approved or rejected. */
  waitForExecution(
    execution: Pick<WorkflowExecution, 'workflow_id' | 'execution_id'>,
    options?: WaitOptions,
  ): Promise<WorkflowExecution>
}

/** Makes a client. Nothing is sent before its first call. */
export function createClient(options: ClientOptions): Client {
  const calls = createCalls(options)
  const uploader = { calls, ...(options.fetch && { fetch: options.fetch }) }
  return {
    ...calls,
    uploadDocument: (file, upload) => uploadDocument(uploader, file, upload),
    waitForExecution: (execution, wait) => waitForExecution(calls, execution, wait),
  }
}
