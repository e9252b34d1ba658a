import { type AnswerName, type OperationId, operations } from '../contract/operations.ts'
import type { Work } from '../world/slices.ts'
import type { World } from '../world/world.ts'

/**
 * A request, independent of whether it came through `fetch` or over a socket. Creating a `Request` and a `Response` for
 * each would cost a server more than everything else it does. Its functions need no `this`, so that a copy works too.
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
  readonly header: (name: string) => string | undefined
  /** Returns all headers. */
  readonly headers: () => HeaderList
  /**
   * Passes the body to `take` as it arrives, until its end or until `take` returns false. A second read gets an empty body.
   * Rejects with `Interrupted` if the client disconnects before the end, and with any error that `take` throws.
   */
  readBody: (take: (chunk: Uint8Array) => boolean) => Promise<void>
  /** Makes the client wait with its next chunks until `resume`. Absent if chunks are taken from memory. */
  readonly pause?: () => void
  readonly resume?: () => void
  /** Releases the memory of a chunk after use. Absent if the chunks' memory is not ours. */
  readonly release?: (chunk: Uint8Array) => void
}

/** A request on its way through the mock, and what its stages have found out. */
export interface Context {
  /** The request as it arrived. */
  readonly received: Incoming
  /** The tenant that the admin API sends the request for, in place of a client with its key. */
  readonly actsFor?: string | undefined
  /** The request to the mock itself. With a profile, `received` may have an address of the deployment's. */
  request: Incoming
  /** The address of the service that was called, with the deployment's path if that was called too. @default the public URL */
  base?: string | undefined
  /** The call of the request, once known. */
  route?: Endpoint | undefined
  params: PathParams
  /** The tenant, once known. */
  tenantId?: string | undefined
  /** The JSON body, once it was read. */
  body?: unknown
  /** The tenant's time when the call was handled, in milliseconds since 1970. */
  now?: number | undefined
  /** The definitions of the steps, if the answer is about a single execution. */
  steps?: readonly object[] | undefined
  /** The session of a stored object, and its size and digests. */
  sessionId?: string | undefined
  object?: StoredObject | undefined
  /** Is called when the request has ended, with what was thrown. */
  end?: (error?: unknown) => void
}

/** The decoded parameters of a path. */
export type PathParams = Readonly<Record<string, string>>

/** A row of the table of calls: what its stages do. */
export interface Endpoint {
  readonly id: AnswerName
  readonly method: string
  /** The path as in the contract: `/workflows/{workflow_id}`. */
  readonly path: string
  /** Returns the parameters of a path; undefined if it is another one. @default as in the contract */
  readonly match?: (path: string) => PathParams | undefined
  /** Errors of storage are answered as S3 does, and its calls open no tenant and have no limit of their number. */
  readonly part: 'service' | 'storage'
  /** Returns the tenant of a request. Throws if it has no key, or another than a test key. */
  tenantOf(request: Incoming): string
  /** Reads and checks what was sent, and returns what is left to do. Throws if that breaks the contract. */
  validate(context: Context): Promise<CheckedCall>
}

/** A call whose request was checked. */
export interface CheckedCall {
  /** Receives the file that the call is about. @default there is none */
  receive?(): Promise<void>
  /** Carries out the call in the world of its tenant; without one if a call to storage names no tenant that is there. */
  handle(world: World | undefined): Outgoing | Work<Outgoing>
}

/** Returns the documented call of a request, for the request log. */
export function operationOf({ route }: Pick<Context, 'route'>): OperationId | undefined {
  return route && Object.hasOwn(operations, route.id) ? (route.id as OperationId) : undefined
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
  /** True if no profile renders the answer: another service gave it, or a fault, a preference or a test asked for it. @default false */
  readonly isFinal?: boolean
  /** The reason for refusing the request, for the request log. */
  readonly refusal?: RefusalReason
  /** A body that is not written yet. */
  readonly value?: unknown
  /** The contract's answer, if a profile has rendered this one. */
  readonly contract?: Outgoing
}

/** The code of a problem, and what it says. */
export interface RefusalReason {
  readonly code: string
  readonly detail: string
  /** JSON Pointers to the fields that break the contract. */
  readonly pointers?: readonly string[]
}

/** The size of an object in bytes, and its checksums in hexadecimal. */
export interface StoredObject {
  readonly size: number
  readonly crc32?: string
  readonly sha256?: string
  readonly md5?: string
}

/** A server as a function, without a port or a process. It never rejects. The admin API sends requests for a tenant, without its key. */
export type App = (request: Incoming, actsFor?: string) => Promise<Outgoing>

/** Returns the answer to a request for which something was thrown. */
export type AnswerError = (error: unknown, about: Pick<Context, 'route'> & { readonly path: string }) => Outgoing

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
  headers: Readonly<Record<string, string>> = {},
  type = 'application/json',
): Outgoing {
  const others = Object.entries(headers)
  if (body === undefined) return { status, headers: others }
  return { status, headers: [['Content-Type', type], ...others], body: jsonOf(body) }
}

/** Writes the body of an answer, unless it is written. */
export function withText({ value, ...answer }: Outgoing): Outgoing {
  if (value === undefined) return answer
  return { ...answer, headers: [['Content-Type', 'application/json'], ...answer.headers], body: jsonOf(value) }
}

const jsonOf = (value: unknown) => (value instanceof WrittenJson ? value.bytes : JSON.stringify(value))

/** Returns the body of an answer as text; undefined if it has none. */
export function bodyTextOf({ value, body }: Outgoing): string | undefined {
  if (value !== undefined) return value instanceof WrittenJson ? value.text : JSON.stringify(value)
  return typeof body === 'object' ? new TextDecoder().decode(body) : body
}

/** A body that is already JSON text, since it is sent many times or was serialised in slices. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = new TextEncoder().encode(text)
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }
}
