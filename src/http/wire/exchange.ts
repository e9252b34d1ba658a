import type { AnswerName, OperationId } from '../../contract/operations.ts'

/**
 * A request, independent of whether it came through `fetch` or over a socket. Creating a `Request` and a `Response` for
 * each would cost a server more than everything else it does.
 */
export interface Incoming {
  readonly method: string
  /** Scheme, host and port that the client called, such as `http://localhost:4010`. */
  readonly origin: string
  /** The path as sent, still percent-encoded, but without the base path of the mock. */
  readonly path: string
  /** The path as sent. @default the same as `path` */
  readonly asked?: string
  /** Address at which the client reaches the mock, without a trailing slash; for what the mock links to. @default the origin */
  readonly publicUrl?: string
  /** The query with its question mark; empty if there is none. */
  readonly search: string
  /** Returns the value of a header, named in lower case; several values are joined by commas. */
  header(name: string): string | undefined
  /** Returns all headers. */
  headers(): HeaderList
  /**
   * Passes the body to `take` as it arrives, until its end or until `take` returns false. A second read gets an empty body.
   * Rejects with `Interrupted` if the client disconnects before the end, and with any error that `take` throws.
   */
  readBody(take: (chunk: Uint8Array) => boolean): Promise<void>
  /** Makes the client wait with its next chunks until `resume`. Absent if chunks are taken from memory. */
  pause?(): void
  resume?(): void
  /** Releases the memory of a chunk after use. Absent if the chunks' memory is not ours. */
  release?(chunk: Uint8Array): void
  /** The tenant of the request, once known; for the request log. */
  tenantId?: string | undefined
  /** The operation, once known; for the request log. */
  operationId?: OperationId | undefined
  /** The tenant that the admin API sends the request for, in place of a client with its key. */
  readonly actsFor?: string | undefined
  /** True if the path is that of the contract, also if there is a profile. */
  readonly isOfContract?: boolean
  /** The call of the request, once known; for answers in the style of a deployment. */
  call?: IncomingCall | undefined
  /** Takes the contract's answer before a profile renders it. Absent if only the rendered one matters. */
  noteContract?(answer: Outgoing): void
}

/** Returns the address at which the client of a request reaches the mock, without a trailing slash. */
export function publicUrlOf({ publicUrl, origin }: Incoming): string {
  return publicUrl ?? origin
}

/** Returns the path of that address; empty if it has none. */
export function publicPathOf({ publicUrl }: Incoming): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
}

/** Headers in the order in which they are sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** An answer to send. */
export interface Outgoing {
  readonly status: number
  readonly headers: HeaderList
  /** Absent if the answer has no body; text is sent as UTF-8. */
  readonly body?: string | Uint8Array
  /** A body that is sent in parts, as they are made; in place of `body`. */
  readonly stream?: ReadableStream<Uint8Array>
  /** True to end the connection without an answer. @default false */
  readonly isBroken?: boolean
  /** True if a fault, a preference or a test asked for the answer, so that it is sent unchanged. @default false */
  readonly isInjected?: boolean
  /** The reason for refusing the request, for the request log. */
  readonly refusal?: RefusalReason
  /** The contract's body, if a profile has yet to render it. */
  readonly value?: unknown
}

/** The code of a problem, and what it says. */
export interface RefusalReason {
  readonly code: string
  readonly detail: string
  /** JSON Pointers to the fields that break the contract. */
  readonly pointers?: readonly string[]
}

/** A call that a profile can answer. */
export interface IncomingCall {
  readonly id: AnswerName
  readonly params: Readonly<Record<string, string>>
  /** The body, once it was read. */
  readonly body?: unknown
  /** The tenant's time, in milliseconds since 1970. */
  readonly now?: number
  /** The definitions of the steps, if the answer is about a single execution. */
  readonly steps?: readonly object[]
  /** The session of a stored object, and its size and digests. */
  readonly sessionId?: string
  readonly object?: StoredObject
}

/** The size of an object in bytes, and its checksums in hexadecimal. */
export interface StoredObject {
  readonly size: number
  readonly crc32?: string
  readonly sha256?: string
  readonly md5?: string
}

/** A server as a function, without a port or a process. It never rejects. */
export type App = (incoming: Incoming) => Promise<Outgoing>

/** Returns the answer to a request for which something was thrown. */
export type AnswerError = (error: unknown, incoming: Pick<Incoming, 'path' | 'operationId'>) => Outgoing

/** The client disconnected before the whole body arrived. */
export class Interrupted extends Error {
  constructor(cause?: unknown) {
    super('The body did not arrive completely. Send it again.', { cause })
  }
}

/** Creates a JSON answer; without a body if `body` is undefined. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
  type?: string,
): Outgoing {
  const others = headers ? Object.entries(headers) : none
  if (body === undefined) return { status, headers: others }
  const first = type === undefined ? json : (['Content-Type', type] as const)
  return { status, headers: [first, ...others], body: body instanceof WrittenJson ? body.bytes : JSON.stringify(body) }
}

/** A body that is already JSON text, since it is sent many times or was serialised in slices. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = new TextEncoder().encode(text)
  }
}

const json = ['Content-Type', 'application/json'] as const
const none: HeaderList = []
