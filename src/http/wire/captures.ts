import type { SecretRedactor } from '../../session/redact.ts'
import type { HeaderList, Incoming, Outgoing } from './exchange.ts'
import { WrittenJson } from './exchange.ts'

/** The most bytes that are kept of a body. */
const mostOfBody = 64 * 1024
/** The most bytes that are kept of all exchanges while a stream is open. */
const mostOfAll = 16 * 1024 * 1024
/** The exchanges that are kept while no stream is open, for a page that is opened after something went wrong. */
const mostUnwatched = 50
/** Keeps the headers and bodies of the latest requests: of 50 requests, and at most 16 MiB while a stream is open. */
export class Captures {
  readonly #kept = new Map<number, { readonly capture: Capture; readonly size: number }>()
  /** Ends each watch. */
  readonly #watchers = new Set<() => void>()
  #size = 0

  /** Keeps more of what follows until the returned function is called. `end` is called when the mock stops. */
  watch(end: () => void): () => void {
    this.#watchers.add(end)
    return () => {
      if (this.#watchers.delete(end)) this.#drop()
    }
  }

  /** Ends all watching, since the mock stops. */
  stop(): void {
    for (const end of this.#watchers) end()
  }

  /** Returns what was kept of a request. */
  find(requestId: number): Capture | undefined {
    return this.#kept.get(requestId)?.capture
  }

  clear(): void {
    this.#kept.clear()
    this.#size = 0
  }

  /** Keeps a request that was answered under its number. */
  keep(id: number, capture: Capture): void {
    const { size } = capture
    this.#kept.set(id, { capture, size })
    this.#size += size
    this.#drop()
  }

  #drop(): void {
    const most = this.#watchers.size > 0 ? Number.POSITIVE_INFINITY : mostUnwatched
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= mostOfAll && this.#kept.size <= most) return
      this.#kept.delete(oldest)
      this.#size -= size
    }
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
  readonly #parts: Uint8Array[] = []
  #size = 0
  #contractBody: string | undefined
  #answerHeaders: HeaderList = []
  #answer: NotedBody = { bytes: '', size: 0 }

  constructor(incoming: Incoming) {
    this.#path = incoming.path + incoming.search
    this.#headers = incoming.headers()
    const read = incoming.readBody
    incoming.readBody = (take) =>
      read.call(incoming, (chunk) => {
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

  /** Notes the contract's body of an answer that is about to be written in the style of a deployment. */
  noteContract({ value, body }: Outgoing): void {
    const text = value instanceof WrittenJson ? decode(value.bytes) : value === undefined ? body : JSON.stringify(value)
    if (typeof text === 'string' && text.length <= mostOfBody) this.#contractBody = text
  }

  /** Notes the answer. */
  end({ headers, body = '' }: Outgoing): void {
    this.#answerHeaders = headers
    this.#answer = { bytes: body, size: body.length }
    if (body.length <= mostOfBody) return
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    // Copied, so that the rest of the body is not kept with its beginning.
    this.#answer = { bytes: new Uint8Array(bytes.subarray(0, mostOfBody)), size: bytes.length }
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
    // Copied, since the memory of a chunk may be reused; a Buffer's own `slice` would not copy.
    if (room > 0) this.#parts.push(new Uint8Array(chunk.subarray(0, room)))
    this.#size += chunk.byteLength
  }
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
