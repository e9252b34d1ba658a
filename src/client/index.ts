import { type CallOptions, type Calls, createCalls } from './calls.ts'
import { type Document, type UploadOptions, uploadDocument } from './upload.ts'
import { type Execution, type WaitOptions, waitForExecution } from './wait.ts'

export { dataOf } from './calls.ts'
export { ClientError, type ErrorCode, type Problem } from './error.ts'
export type { Progress } from './put-file.ts'
export type { RetryOptions } from './retry.ts'
export type { CallOptions as ClientOptions, Document, Execution, UploadOptions, WaitOptions }

/** A client of the service: its calls, typed by the contract, and what takes more than one of them. */
export interface Client extends Calls {
  /** Uploads a document in the three documented steps; gives what confirming it answered, with its `document_id`. */
  uploadDocument(file: Blob & { readonly name?: string }, options?: UploadOptions): Promise<Document>
  /** Resolves with an execution when it is approved or rejected. */
  waitForExecution(
    execution: Pick<Execution, 'workflow_id' | 'execution_id'>,
    options?: WaitOptions,
  ): Promise<Execution>
}

/** Makes a client. Nothing is sent before its first call. */
export function createClient(options: CallOptions): Client {
  const calls = createCalls(options)
  const uploader = { calls, ...(options.fetch && { fetch: options.fetch }) }
  return {
    ...calls,
    uploadDocument: (file, upload) => uploadDocument(uploader, file, upload),
    waitForExecution: (execution, wait) => waitForExecution(calls, execution, wait),
  }
}
