/**
 * A request and its answer as the house sees them: the same whether they came through `fetch` or over a socket. Making a
 * `Request` and a `Response` for each would cost a server more than everything else it does.
 */
export interface Incoming {
  readonly method: string
  /** Scheme, host and port that the client called, such as `http://localhost:4010`. */
  readonly origin: string
  /** The path as it was written, percent-encoding and all. */
  readonly path: string
  /** The query with its question mark; empty where there is none. */
  readonly search: string
  /** The value of a header, which is named in lower case; several values are joined by commas. */
  header(name: string): string | undefined
  /**
   * Passes the body on as it arrives, until its end or until `take` answers false. A body that has been read is empty. Rejects
   * with `Interrupted` where the client goes away before the end, and with what `take` throws.
   */
  readBody(take: (chunk: Uint8Array) => boolean): Promise<void>
  /** Gives back the memory of a chunk that nobody reads any more. Absent where a chunk is somebody else's. */
  release?(chunk: Uint8Array): void
  /** Whose world it turned out to be for; the log wants to know. */
  tenantId?: string
}

/** Headers in the order in which they are sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** An answer on its way out. */
export interface Outgoing {
  readonly status: number
  readonly headers: HeaderList
  /** Absent where the answer has no body; text is sent as UTF-8. */
  readonly body?: string | Uint8Array
  /** Whether the connection ends without an answer. @default false */
  readonly isBroken?: boolean
}

/** A server as a function: no port, no process. It never rejects. */
export type App = (incoming: Incoming) => Promise<Outgoing>

/** The client went away before its body had arrived. */
export class Interrupted extends Error {
  constructor(cause?: unknown) {
    super('The body did not arrive.', { cause })
  }
}

/** An answer in JSON; one without a body where there is nothing to say. */
export function inJson(
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

/** A body that is JSON text already, because it is sent again and again or was written in slices. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = new TextEncoder().encode(text)
  }
}

const json = ['Content-Type', 'application/json'] as const
const none: HeaderList = []
