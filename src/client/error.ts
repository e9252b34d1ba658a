import type { components } from '../contract/types.gen.ts'

/** An error as the service describes it (RFC 9457). */
export interface ProblemDetails extends Problem {}

type Problem = components['schemas']['Problem']

/** The code of a `ClientError`: the code of the service's problem, or one of the client's own. */
export type ErrorCode =
  | ProblemDetails['code']
  /** No answer came. */
  | 'network-error'
  /** The caller's signal aborted the call. */
  | 'aborted'
  /** It took longer than the caller allowed. */
  | 'timed-out'
  /** Storage did not take the file. */
  | 'storage-error'
  /** The upload URL expired, and so did its replacement. */
  | 'upload-url-expired'
  /** The workflow no longer shows the execution. */
  | 'execution-not-shown'
  /** The answer does not match the contract. */
  | 'unexpected-answer'

/**
 * A failed call. `message` says what is wrong and what to do; `code` is for programs.
 *
 * @example
 * ```js
 * import { createMock } from 'countersign'
 * import { ClientError, createClient, dataOf } from 'countersign/client'
 *
 * const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_a', fetch: createMock().fetch })
 * const params = { path: { workflow_id: 'wf_1' } }
 * try {
 *   await dataOf(client.GET('/api/v1/workflows/{workflow_id}', { params }))
 * } catch (error) {
 *   if (error instanceof ClientError) console.log(error.status, error.code) // 404 workflow-not-found
 * }
 * ```
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Status and problem of the answer, and the error that caused this one. */
    readonly details: { readonly status?: number; readonly problem?: ProblemDetails; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
  }

  /** The HTTP status of the answer, or undefined if no answer came. */
  get status(): number | undefined {
    return this.details.status
  }

  /** The problem that the service answered, if any. */
  get problem(): ProblemDetails | undefined {
    return this.details.problem
  }
}

/** Creates the error for an answer with an error status. */
export function errorFromAnswer(error: unknown, status: number): ClientError {
  if (isProblem(error)) return new ClientError(error.code, describeProblem(error), { status, problem: error })
  return new ClientError(
    'unexpected-answer',
    // A gateway sends these if the service behind it does not answer. RFC 9110 sections 15.6.3 to 15.6.5.
    status >= 502 && status <= 504
      ? `A gateway answered ${status} in place of the service. Try again later, or check that the service is running.`
      : `The answer has status ${status} and is not a problem document. Check that baseUrl is the URL of the service.`,
    { status },
  )
}

/** Returns a problem's detail with its first violation, so that one line of a log is enough. */
function describeProblem({ detail, errors: [first] = [] }: ProblemDetails): string {
  return first ? `${detail} The first: ${first.pointer} ${first.message}` : detail
}

/** The messages of fetch's own `TypeError`, in Node, Chromium, Firefox, Safari, Deno and React Native. */
const fetchFailures =
  /^(fetch failed|terminated|Failed to fetch|Network ?(error|connection|request)|Error in (body|input) stream|Load failed|The (Internet|network) connection|error (sending|reading))/i

/** Returns the error for a call without a usable answer. A `TypeError` that is not fetch's own is a fault in code, and stays as it is. */
export function errorWithoutAnswer(cause: unknown, signal?: AbortSignal | null): Error {
  if (cause instanceof ClientError) return cause
  if (signal?.aborted || (cause as Partial<Error> | undefined)?.name === 'AbortError') {
    return new ClientError('aborted', 'The call was aborted. Start it again if you need the answer.', { cause })
  }
  if (cause instanceof SyntaxError) {
    return new ClientError(
      'unexpected-answer',
      'The answer is not valid JSON. Check that baseUrl is the URL of the service.',
      { cause },
    )
  }
  if (cause instanceof TypeError && !fetchFailures.test(cause.message)) return cause
  const reasons = [...new Set(causesOf(cause))]
  // The cause says more than 'fetch failed'.
  if (reasons.length > 1 && reasons[0] === 'fetch failed') reasons.shift()
  const reason = reasons.join(': ') || 'unknown reason'
  return new ClientError(
    'network-error',
    `The service cannot be reached: ${reason}. Check the network and the URL, and in a browser that the service allows this origin.`,
    { cause },
  )
}

function isProblem(error: unknown): error is ProblemDetails {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error
}

/** Returns the messages of an error and its causes, the root cause last. Of several errors, such as one per address, the first. */
function causesOf(thrown: unknown, most = 5): string[] {
  if (thrown === undefined || thrown === null || most === 0) return []
  if (typeof thrown !== 'object') return [String(thrown)]
  const { message, code, cause, errors }: Partial<AggregateError> & { code?: unknown } = thrown
  // It becomes part of a sentence.
  const text = String(message || code || '')
    .trim()
    .replace(/\.$/, '')
  return [...(text ? [text] : []), ...causesOf(cause ?? errors?.[0], most - 1)]
}
