/** The refusals that the contract has: by their code, the status, the calls that are refused with it, and the open questions. */
import type { AnswerName } from '../../src/contract/operations.ts'
import { otherSize } from '../../src/profile/strictness.ts'

export interface RefusedCalls {
  readonly status: number
  readonly calls: readonly AnswerName[]
  readonly gaps: readonly string[]
}

const service = [
  'createWorkflow',
  'getWorkflow',
  'executeWorkflow',
  'requestUpload',
  'confirmUpload',
  'listWorkflows',
  'getExecution',
] as const
const withBody = ['createWorkflow', 'executeWorkflow', 'requestUpload', 'confirmUpload'] as const
const storage = (status: number, ...gaps: string[]) => ({
  status,
  calls: ['putObject'] as const,
  gaps: ['gap.storage-errors', ...gaps],
})
const problem = (status: number, calls: readonly AnswerName[], ...gaps: string[]) => ({
  status,
  calls,
  gaps: [...gaps, 'gap.error-format'],
})

/** Paths and methods that the contract does not have are not here, since no call of it can be refused with their codes. */
export const refusedCalls: Readonly<Record<string, RefusedCalls>> = {
  'invalid-json': problem(400, withBody, 'gap.invalid-request-status'),
  'invalid-request': problem(400, withBody, 'gap.invalid-request-status'),
  'file-name-mismatch': problem(400, ['confirmUpload'], 'gap.confirm-mismatch'),
  'missing-key': problem(401, service, 'gap.missing-key'),
  'key-with-scheme': problem(401, service, 'gap.auth-scheme'),
  'misplaced-key': problem(401, service, 'gap.missing-key'),
  'not-a-test-key': problem(401, service, 'gap.invalid-key'),
  'workflow-not-found': problem(404, ['getWorkflow', 'executeWorkflow'], 'gap.unknown-workflow'),
  'session-not-found': problem(404, ['confirmUpload'], 'gap.unknown-session'),
  'document-not-confirmed': problem(409, ['executeWorkflow'], 'gap.unknown-document'),
  'object-not-stored': problem(409, ['confirmUpload'], 'gap.confirm-before-put'),
  'key-of-another-session': problem(409, ['confirmUpload'], 'gap.confirm-mismatch'),
  [otherSize]: problem(409, ['confirmUpload'], 'gap.storage-length-mismatch'),
  'confirmed-again': problem(409, ['confirmUpload'], 'gap.confirm-twice'),
  'body-too-large': problem(413, withBody, 'gap.body-limits'),
  'file-too-large': problem(413, ['requestUpload'], 'gap.max-file-size'),
  'unsupported-media-type': problem(415, withBody, 'gap.unsupported-media-type'),
  InvalidArgument: storage(400, 'gap.storage-authorization'),
  BadDigest: storage(400, 'gap.storage-checksum'),
  SignatureDoesNotMatch: storage(403, 'gap.storage-content-type-mismatch', 'gap.storage-length-mismatch'),
  AccessDenied: storage(403),
  InvalidObjectState: storage(403),
  InvalidRequest: storage(403),
  NoSuchKey: storage(404, 'gap.storage-precondition'),
  MethodNotAllowed: storage(405),
  MissingContentLength: storage(411, 'gap.storage-length-mismatch'),
  PreconditionFailed: storage(412, 'gap.storage-precondition'),
  NotImplemented: storage(501),
}
