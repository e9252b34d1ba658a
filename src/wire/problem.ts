import type { Schemas, Violation } from '../contract/operations.ts'
import type { DomainErrorCode } from '../domain/errors.ts'
import { jsonAnswer, type Outgoing } from './exchange.ts'

/** The codes of the contract and of the rules. Storage has the codes of S3. Errors in scenarios are never sent. */
type NeededCode = Schemas['Problem']['code'] | Exclude<DomainErrorCode, 'object-confirmed' | 'no-approvers'>

/** The status of every code. RFC 9110 section 15. */
const statuses = {
  'invalid-json': 400,
  'invalid-request': 400,
  'invalid-parameter': 400,
  'invalid-preference': 400,
  'file-name-mismatch': 400,
  'missing-key': 401,
  'key-with-scheme': 401,
  'misplaced-key': 401,
  'not-a-test-key': 401,
  'admin-forbidden': 403,
  'unknown-path': 404,
  'unknown-scenario': 404,
  'unknown-tenant': 404,
  'object-not-kept': 404,
  'events-dropped': 404,
  'unknown-request': 404,
  'workflow-not-found': 404,
  'execution-not-found': 404,
  'step-not-found': 404,
  'session-not-found': 404,
  'method-not-allowed': 405,
  'document-not-confirmed': 409,
  'object-not-stored': 409,
  'key-of-another-session': 409,
  'step-not-assigned': 409,
  'not-the-assignee': 409,
  'tenant-not-empty': 409,
  'tenant-set-aside': 409,
  'body-too-large': 413,
  'file-too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  'internal-error': 500,
  // What a fault, a preference or a test asks for. It has a status of its own.
  'injected-fault': 500,
  'journal-unavailable': 503,
  'store-unavailable': 503,
  'outcome-unknown': 503,
  'memory-full': 507,
  'store-full': 507,
} satisfies Readonly<Record<NeededCode, number>> & Readonly<Record<string, number>>

/** All codes except those of storage. */
export type ProblemCode = keyof typeof statuses

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** Checks whether a code has a status here. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(statuses, code)
}

/** An error that is sent to the client. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly extra: {
      readonly headers?: Readonly<Record<string, string>>
      readonly status?: number
      readonly violations?: readonly Violation[]
    } = {},
  ) {
    super(detail)
  }

  /** Converts the problem to an answer (RFC 9457). */
  toOutgoing(): Outgoing {
    const { code, message } = this
    const { headers, violations, status = statuses[code] } = this.extra
    const body: Schemas['AdminProblem'] = {
      type: `urn:countersign:problem:${code}`,
      title: code === 'injected-fault' ? 'Injected fault' : (titles[status] ?? 'Error'),
      status,
      code,
      detail: message,
      ...(violations && { errors: [...violations] }),
    }
    const pointers = violations?.map(({ pointer }) => pointer)
    const detail = pointers ? `${message} ${firstOf([...new Set(pointers)])}` : message
    return {
      ...jsonAnswer(status, body, { ...(status === 401 && challenge), ...headers }, 'application/problem+json'),
      refusal: { code, detail, ...(pointers && { pointers }) },
    }
  }
}

/** Names the first fields for the request log. The pointer to the whole body is empty. */
function firstOf(pointers: readonly string[]): string {
  const named = pointers.slice(0, 3).map((pointer) => pointer || 'the body')
  return `Fields: ${named.join(', ')}${pointers.length > 3 ? ` and ${pointers.length - 3} more` : ''}.`
}

/** Says how to send a key (RFC 9110 section 11.6.1); part of every 401. */
const challenge = { 'WWW-Authenticate': 'ApiKey realm="Countersign", header="Authorization"' } as const
