import type { HeaderPairs } from './credentials.ts'
import type { SentBytes } from './digests.ts'

/** A request and its answer, as a session has them. */
export interface SessionExchange {
  /** The name of the call, if it has one. */
  readonly name?: string
  /** The time at which the request was sent, in milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  readonly request: { readonly method: string; readonly url: string; readonly headers: Headers }
  /** The request's body as text; absent if it had none or is binary. */
  readonly sent?: string
  /** Size and digests of a binary request body. */
  readonly sentBytes?: SentBytes
  /** The binary request body itself, if it is small. */
  readonly sentBody?: Uint8Array
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The size of the answer's body, if `bytes` is only a part of it. */
  readonly size?: number
  /** The parsed body; absent if it is not JSON. */
  readonly json?: unknown
  /** True if the answer is too large, so that only its beginning is kept. */
  readonly isOversized?: boolean
}

/** A call of the mock and its answer, as they were. */
export interface RecordedCall {
  readonly tenantId: string | undefined
  /** The time at which it arrived, in milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  /** The request's body, or only its beginning. */
  readonly parts: readonly Uint8Array[]
  /** The size of the whole body in bytes, and its SHA-256 in hexadecimal. */
  readonly size: number
  readonly sha256: string
  readonly status: number
  readonly answerHeaders: HeaderPairs
  /** The answer's body, or only its beginning; and the size of all of it. */
  readonly answer: { readonly bytes: string | Uint8Array; readonly size: number }
}

/** A session as HAR 1.2. */
export interface SessionFile {
  readonly log: { readonly version: '1.2'; readonly entries: readonly object[] }
}
