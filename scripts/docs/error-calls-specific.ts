import { type ErrorCall, environment, type ShellCall } from './shell.ts'

const json = { Authorization: environment.key, 'Content-Type': 'application/json' }

/** Creates a service call with a JSON body, which may contain variables. */
export function post(address: string, body: unknown, keep: Record<string, string> = {}): ShellCall {
  return { method: 'POST', address, headers: json, body: JSON.stringify(body), keep }
}

const step = {
  step_id: 'legal',
  name: 'Legal review',
  order: 1,
  type: 'approval',
  approvers: [{ email: 'lena@example.com', name: 'Lena Ortiz' }],
  estimated_duration: 60,
}
export const createCall = post('/api/v1/workflows', { name: 'Contract', steps: [step] }, { WORKFLOW_ID: 'workflow_id' })

const file = { file_name: 'note.txt', content_type: 'text/plain', file_size: 5 }
const kept = { UPLOAD_URL: 'upload_url', SESSION_ID: 'session_id', KEY: 'key' }
const requested = post('/api/v1/upload/', file, kept)
const put: ShellCall = {
  method: 'PUT',
  address: '{{UPLOAD_URL}}',
  headers: { 'Content-Type': 'text/plain' },
  body: 'Hello',
}

/** The same with other headers. */
const putWith = (headers: Readonly<Record<string, string>>): ShellCall => ({
  ...put,
  headers: { ...put.headers, ...headers },
})

const confirmation = (file: object = {}) => ({
  session_id: '{{SESSION_ID}}',
  completed_files: [{ key: '{{KEY}}', file_name: 'note.txt', ...file }],
})
const confirm = (keep: Record<string, string> = {}) => post('/api/v1/upload/confirm', confirmation(), keep)

/** The calls that upload and confirm a document. */
export const uploadedDocument: readonly ShellCall[] = [requested, put, confirm({ DOCUMENT_ID: 'document_id' })]

export const executionBody = (more: object = {}) => ({
  document_id: '{{DOCUMENT_ID}}',
  submitter_email: 'sam@example.com',
  ...more,
})

const anHour = post('/__admin/clock/advance', { duration: 'PT1H' })
const unknownWorkflow = '/api/v1/workflows/wf_0000000000000000'
const noDocument = { document_id: 'doc_0000000000000000', submitter_email: 'sam@example.com' }

export const refused = (
  operationId: string,
  status: number,
  code: string,
  wrong: string,
  ...calls: ShellCall[]
): ErrorCall => ({
  operationId,
  status,
  code,
  wrong,
  calls,
})
const refusedPut = (status: number, code: string, wrong: string, ...calls: ShellCall[]) =>
  refused('putObject', status, code, wrong, ...calls)

/** The errors that only one operation has. */
export const specificErrorCalls: readonly ErrorCall[] = [
  refused(
    'createWorkflow',
    400,
    'invalid-request',
    'Has a step whose order is below 1, and no approvers.',
    post('/api/v1/workflows', { name: 'Contract', steps: [{ ...step, order: 0, approvers: [] }] }),
  ),
  refused('getWorkflow', 404, 'workflow-not-found', 'Names a workflow that this key does not have.', {
    method: 'GET',
    address: unknownWorkflow,
    headers: { Authorization: environment.key },
  }),
  refused(
    'executeWorkflow',
    404,
    'workflow-not-found',
    'Names a workflow that this key does not have.',
    post(`${unknownWorkflow}/execute`, noDocument),
  ),
  refused(
    'executeWorkflow',
    409,
    'document-not-confirmed',
    'Names a document that was never confirmed.',
    createCall,
    post('/api/v1/workflows/{{WORKFLOW_ID}}/execute', noDocument),
  ),
  refused(
    'requestUpload',
    413,
    'file-too-large',
    'Announces a file above the limit; 1 GB here.',
    post('/api/v1/upload/', { ...file, file_size: 1_000_000_000 }),
  ),
  refused(
    'confirmUpload',
    400,
    'file-name-mismatch',
    'Has another file name than the upload request.',
    requested,
    put,
    post('/api/v1/upload/confirm', confirmation({ file_name: 'other.txt' })),
  ),
  refused(
    'confirmUpload',
    404,
    'session-not-found',
    'Names a session that this key does not have.',
    post('/api/v1/upload/confirm', {
      session_id: '00000000-0000-4000-8000-000000000000',
      completed_files: [{ key: 'tenants/a/note.txt', file_name: 'note.txt' }],
    }),
  ),
  refused('confirmUpload', 409, 'object-not-stored', 'Is sent before the file was uploaded.', requested, confirm()),
  refused(
    'confirmUpload',
    409,
    'key-of-another-session',
    'Has the storage key of another session.',
    requested,
    put,
    post('/api/v1/upload/confirm', confirmation({ key: 'tenants/elsewhere/uploads/1/note.txt' })),
  ),
  refusedPut(
    400,
    'InvalidArgument',
    'Carries the API key, which storage must never see.',
    requested,
    putWith({ Authorization: environment.key }),
  ),
  refusedPut(
    400,
    'BadDigest',
    'Announces the MD5 of other bytes.',
    requested,
    putWith({ 'Content-MD5': '1B2M2Y8AsgTpgAmY7PhCfg==' }),
  ),
  refusedPut(
    404,
    'NoSuchKey',
    'Asks to replace a file (`If-Match`), but none is stored.',
    requested,
    putWith({ 'If-Match': '"0"' }),
  ),
  refusedPut(
    412,
    'PreconditionFailed',
    'Asks to store the first file (`If-None-Match: *`), but one is stored.',
    requested,
    put,
    putWith({ 'If-None-Match': '*' }),
  ),
  refusedPut(
    501,
    'NotImplemented',
    'Sends only a part of the file (`Content-Range`).',
    requested,
    putWith({ 'Content-Range': 'bytes 0-4/5' }),
  ),
  refusedPut(
    411,
    'MissingContentLength',
    'Has chunked encoding instead of a `Content-Length`.',
    requested,
    putWith({ 'Transfer-Encoding': 'chunked' }),
  ),
  refusedPut(403, 'AccessDenied', 'Is sent an hour late: the admin API advances the clock.', requested, anHour, put),
  refusedPut(403, 'SignatureDoesNotMatch', 'Uses a changed URL.', requested, {
    ...put,
    address: '{{UPLOAD_URL}}0',
  }),
  refusedPut(
    403,
    'SignatureDoesNotMatch',
    'Has another media type than was announced.',
    requested,
    putWith({ 'Content-Type': 'application/pdf' }),
  ),
  refusedPut(403, 'SignatureDoesNotMatch', 'Has another length than was announced.', requested, {
    ...put,
    body: 'Hello again',
  }),
  refusedPut(403, 'InvalidObjectState', 'Is sent after the confirmation.', requested, put, confirm(), put),
]
