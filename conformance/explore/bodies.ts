/** The request bodies of an exploration. Each differs from the others in all that a deployment may mix up. */
import type { SentBody } from '../../src/contract/operations.ts'
import { pdfOf } from '../flow/pdf.ts'
import { withAllFields } from '../wire/contract-fields.ts'

export const contentType = 'application/pdf'

/** Returns the file of an upload, in the same form as the suite's own. Each has another size. */
export const fileOf = (index: number) => pdfOf(`upload ${index}`, 'x'.repeat(100 + index))

/** Returns a sound body for each call. `prefix` is unique to the session, `index` to the call. */
export const soundBodies = {
  createWorkflow: (prefix: string, index: number) =>
    withAllFields<SentBody<'createWorkflow'>>(
      'WorkflowRequest',
      {
        name: `${prefix}-${index}`,
        description: `Made by countersign compare; it may be deleted. Number ${index}.`,
        isSequential: true,
        steps: [
          {
            step_id: `step-${index}`,
            name: `Step ${index}`,
            order: 1,
            type: 'approval',
            approvers: [{ email: `${prefix}-${index}@example.com`, name: `Approver ${index}` }],
            estimated_duration: 10 + index,
          },
        ],
      },
      index,
    ),
  executeWorkflow: (prefix: string, index: number, document_id: string) =>
    withAllFields<SentBody<'executeWorkflow'>>(
      'ExecutionRequest',
      {
        document_id,
        submitter_email: `${prefix}-${index}@example.com`,
        execution_mode: 'standard',
        priority: 'high',
      },
      index,
    ),
  requestUpload: (prefix: string, index: number) =>
    withAllFields<SentBody<'requestUpload'>>(
      'UploadRequest',
      {
        file_name: `${prefix}-${index}.pdf`,
        content_type: contentType,
        file_size: fileOf(index).byteLength,
      },
      index,
    ),
  confirmUpload: (session_id: string, key: string, file_name: string): SentBody<'confirmUpload'> => ({
    session_id,
    completed_files: [{ key, file_name }],
  }),
}
