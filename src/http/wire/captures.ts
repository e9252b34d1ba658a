import { joinParts } from '../../contract/bytes.ts'
import type { SecretRedactor } from '../../session/redact.ts'
import type { HeaderList, Incoming, Outgoing } from './exchange.ts'
import { WrittenJson } from './exchange.ts'

/** The most bytes that are kept of a body. */
const mostOfBody = 64 * 1024
/** The most bytes that are kept of all exchanges since a stream was opened. */
const mostOfAll = 16 * 1024 * 1024
/** The exchanges that are kept while no stream is open, for a page that is opened after something went wrong. */
const mostUnwatched = 50
/** The most parts of a body that are kept apart. */
const mostParts = 64

/** Keeps the headers and bodies of the latest requests: of 50 requests, and up to 16 MiB more while a stream is open. */
export class Captures {
  /** The latest, each at its number modulo their count. A `Map` that gains and loses one with each request costs more. */
  #latest: { readonly id: number; readonly capture: Capture }[] = []
  /** All since a stream was opened. */
  readonly #watched = new Map<number, Capture>()
  /** Ends each watch. */
  readonly #watchers = new Set<() => void>()
  /** The memory of what is watched, in bytes. */
  #size = 0

  /** Keeps more of what follows until the returned function is called. `end` is called when the mock stops. */
  watch(end: () => void): () => void {
    const known = this.#watchers.size > 0 ? [] : Object.values(this.#latest).sort((a, b) => a.id - b.id)
    for (const { id, capture } of known) this.#add(id, capture)
    this.#watchers.add(end)
    return () => {
      this.#watchers.delete(end)
      if (this.#watchers.size === 0) this.#forget()
    }
  }

  /** Ends all watching, since the mock stops. */
  stop(): void {
    for (const end of this.#watchers) end()
  }

  /** Returns what was kept of a request. */
  find(requestId: number): Capture | undefined {
    const latest = this.#latest[requestId % mostUnwatched]
    return latest?.id === requestId ? latest.capture : this.#watched.get(requestId)
  }

  clear(): void {
    this.#latest = []
    this.#forget()
  }

  /** Keeps a request that was answered under its number. */
  keep(id: number, capture: Capture): void {
    this.#latest[id % mostUnwatched] = { id, capture }
    if (this.#watchers.size > 0) this.#add(id, capture)
  }

  #add(id: number, capture: Capture): void {
    this.#watched.set(id, capture)
    this.#size += capture.size
    for (const [oldest, { size }] of this.#watched) {
      if (this.#size <= mostOfAll) return
      this.#watched.delete(oldest)
      this.#size -= size
    }
  }

  #forget(): void {
    this.#watched.clear()
    this.#size = 0
  }
}

/** A body and its size in bytes. If it is long, only its beginning is kept. */
interface NotedBody {
  readonly bytes: string | Uint8Array
  readonly size: number
}

/** A request and its answer as they were, with keys and signatures. */
export interface NotedExchange {
  readonly path: string
  readonly headers: HeaderList
  readonly parts: readonly Uint8Array[]
  /** The size of the request's body in bytes, of which only the beginning may be kept. */
  readonly size: number
  readonly contractBody: string | undefined
  readonly answerHeaders: HeaderList
  readonly answer: NotedBody
}

/** A recording of one request. Keys and signatures are removed when it is shown, which few are. */
export class Capture {
  readonly #path: string
  readonly #headers: HeaderList
  readonly #isReused: boolean
  #parts: Uint8Array[] = []
  #size = 0
  #contractBody: string | undefined
  #answerHeaders: HeaderList = []
  #answer: NotedBody = { bytes: '', size: 0 }

  /** Notes the body of a request when it is read, from now on. */
  constructor(incoming: { -readonly [Name in keyof Incoming]: Incoming[Name] }) {
    this.#path = incoming.path + incoming.search
    this.#headers = incoming.headers()
    this.#isReused = incoming.method === 'PUT'
    const read = incoming.readBody
    incoming.readBody = (take) =>
      read((chunk) => {
        this.#add(chunk)
        return take(chunk)
      })
  }

  /** The memory that it takes, in bytes. */
  get size(): number {
    const ofHeaders = (list: HeaderList) => list.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    const ofBodies = Math.min(this.#size, mostOfBody) + this.#answer.bytes.length + (this.#contractBody?.length ?? 0)
    return 500 + ofHeaders(this.#headers) + ofHeaders(this.#answerHeaders) + ofBodies
  }

  /** Notes the answer, and the contract's own if a profile has rendered it. */
  end({ headers, body = '', contract }: Outgoing): this {
    const text = contract && contractBodyOf(contract)
    if (typeof text === 'string' && text.length <= mostOfBody) this.#contractBody = text
    this.#answerHeaders = headers
    this.#answer = { bytes: body, size: body.length }
    if (body.length <= mostOfBody) return this
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    // Copied, so that the rest of the body is not kept with its beginning.
    this.#answer = { bytes: new Uint8Array(bytes.subarray(0, mostOfBody)), size: bytes.length }
    return this
  }

  /** What was noted. Parts of the request's body lie behind one another. */
  get noted(): NotedExchange {
    return {
      path: this.#path,
      headers: this.#headers,
      parts: this.#parts,
      size: this.#size,
      contractBody: this.#contractBody,
      answerHeaders: this.#answerHeaders,
      answer: this.#answer,
    }
  }

  #add(chunk: Uint8Array): void {
    const room = mostOfBody - Math.min(this.#size, mostOfBody)
    // The memory of a file's chunk is reused; a Buffer's own `slice` would not copy it.
    if (room > 0) this.#parts.push(this.#isReused ? new Uint8Array(chunk.subarray(0, room)) : chunk.subarray(0, room))
    // A client may send single bytes, and an object for each would take a hundred times the memory.
    if (this.#parts.length > mostParts) this.#parts = [joinParts(this.#parts)]
    this.#size += chunk.byteLength
  }
}

function contractBodyOf({ value, body }: Outgoing) {
  return value instanceof WrittenJson ? decode(value.bytes) : value === undefined ? body : JSON.stringify(value)
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Returns what redacts the credentials of a call and its answer, and the signature in its address. Few calls need it. */
export async function redactorOf(
  headers: HeaderList,
  path: string,
  answerHeaders: HeaderList,
): Promise<SecretRedactor> {
  const { SecretRedactor } = await import('../../session/redact.ts')
  const redactor = new SecretRedactor([])
  redactor.addRequest(headers)
  redactor.addIssued(answerHeaders)
  redactor.addSignaturesIn(path)
  return redactor
}
