import type { Schemas, Violation } from '../contract/operations.ts'
import type { ErrorCode } from '../domain/errors.ts'

/** Every code that an answer of the service can carry. */
export type ProblemCode = Schemas['Problem']['code']

/** Codes that only storage and the admin API answer with. */
type ElsewhereCode =
  | 'object-confirmed'
  | 'execution-not-found'
  | 'step-not-found'
  | 'step-not-assigned'
  | 'not-the-assignee'

/** The status of every code. RFC 9110 section 15. */
const statuses: Record<ProblemCode | Exclude<ErrorCode, ElsewhereCode>, number> = {
  'invalid-json': 400,
  'invalid-request': 400,
  'file-name-mismatch': 400,
  'missing-key': 401,
  'key-with-scheme': 401,
  'misplaced-key': 401,
  'not-a-test-key': 401,
  'unknown-path': 404,
  'workflow-not-found': 404,
  'session-not-found': 404,
  'method-not-allowed': 405,
  'document-not-confirmed': 409,
  'object-not-stored': 409,
  'key-of-another-session': 409,
  'body-too-large': 413,
  'file-too-large': 413,
  'unsupported-media-type': 415,
  'internal-error': 500,
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
}

/** Whether a code has a status here. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(statuses, code)
}

/** An error on its way to the client. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly extra: { readonly headers?: Record<string, string>; readonly violations?: readonly Violation[] } = {},
  ) {
    super(detail)
  }

  /** The answer (RFC 9457). */
  toResponse(): Response {
    const status = statuses[this.code]
    const body: Schemas['Problem'] = {
      type: `urn:countersign:problem:${this.code}`,
      title: titles[status] ?? 'Error',
      status,
      code: this.code,
      detail: this.message,
      ...(this.extra.violations && { errors: [...this.extra.violations] }),
    }
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...this.extra.headers },
    })
  }
}
