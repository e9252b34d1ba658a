/** The documented fields of requests. */
export const requestFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'isSequential',
  'steps',
  'step_id',
  'order',
  'type',
  'approvers',
  'estimated_duration',
  'email',
  'document_id',
  'submitter_email',
  'execution_mode',
  'priority',
  'file_name',
  'content_type',
  'file_size',
  'session_id',
  'completed_files',
  'key',
])

/** The documented fields of answers. Every deployment has them. */
export const answerFields: ReadonlySet<string> = new Set(['upload_url', 'session_id'])
