import { joinParts } from '../../contract/bytes.ts'
import type { SecretRedactor } from '../../session/redact.ts'
import type { HeaderList, Incoming, Outgoing } from './exchange.ts'
import { WrittenJson } from './exchange.ts'

/** The retained part of a body, without keys and signatures. */
export interface KeptBody {
  readonly text: string
  /** The size of the whole body in bytes. */
  readonly size: number
  /** True if the text is only the beginning. */
  readonly isCut: boolean
}

/** A request and its answer, without keys and signatures. */
export interface CapturedExchange {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: KeptBody | undefined
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answerBody: KeptBody | undefined
  /** The contract's body as JSON text, if the answer was written in the style of a deployment. */
  readonly contractBody: string | undefined
}

/** The most bytes that are kept of a body. */
const mostOfBody = 64 * 1024
/** The most characters that are kept of all exchanges. */
const mostOfAll = 16 * 1024 * 1024
/** At least as many characters as a key or a signature has. A cut may leave the beginning of one, so as many are removed. */
const longestSecret = 400

/** Keeps the headers and bodies of the latest requests while a stream is open; at most 16 MiB. */
export class Captures {
  readonly #kept = new Map<number, { readonly exchange: CapturedExchange; readonly size: number }>()
  /** Ends each watch. */
  readonly #watchers = new Set<() => void>()
  #size = 0

  /** True while a stream is open. */
  get isOn(): boolean {
    return this.#watchers.size > 0
  }

  /** Keeps what follows until the returned function is called. `end` is called when the mock stops. */
  watch(end: () => void): () => void {
    this.#watchers.add(end)
    return () => {
      if (this.#watchers.delete(end) && !this.isOn) this.clear()
    }
  }

  /** Ends all watching, since the mock stops. */
  stop(): void {
    for (const end of this.#watchers) end()
  }

  /** Begins to record a request. */
  begin(incoming: Incoming): Capture {
    return new Capture(incoming, (id, exchange) => this.#keep(id, exchange))
  }

  /** Returns what was kept of a request. */
  find(requestId: number): CapturedExchange | undefined {
    return this.#kept.get(requestId)?.exchange
  }

  clear(): void {
    this.#kept.clear()
    this.#size = 0
  }

  #keep(id: number, exchange: CapturedExchange): void {
    const size = sizeOf(exchange)
    this.#kept.set(id, { exchange, size })
    this.#size += size
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= mostOfAll) return
      this.#kept.delete(oldest)
      this.#size -= size
    }
  }
}

/** A recording of one request. */
export class Capture {
  readonly #keep: (id: number, exchange: CapturedExchange) => void
  readonly #incoming: Incoming
  readonly #parts: Uint8Array[] = []
  #size = 0
  #contractBody: string | undefined

  constructor(incoming: Incoming, keep: (id: number, exchange: CapturedExchange) => void) {
    this.#keep = keep
    this.#incoming = incoming
    const read = incoming.readBody
    incoming.readBody = (take) =>
      read.call(incoming, (chunk) => {
        this.#add(chunk)
        return take(chunk)
      })
  }

  /** Notes the contract's body of an answer that is about to be written in the style of a deployment. */
  noteContract({ value, body }: Outgoing): void {
    const text = value instanceof WrittenJson ? decode(value.bytes) : value === undefined ? body : JSON.stringify(value)
    if (typeof text === 'string' && text.length <= mostOfBody) this.#contractBody = text
  }

  /** Keeps the request and its answer under the number of the request, without what `redactor` knows and their signatures. */
  end(requestId: number, { headers, body = '' }: Outgoing, redactor: SecretRedactor): void {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    const sent = partOf(joinParts(this.#parts), this.#size, this.#incoming.header('content-type') ?? '')
    const answered = partOf(bytes.subarray(0, mostOfBody), bytes.byteLength, type)
    for (const text of [sent?.text, answered?.text, this.#contractBody]) redactor.addSignaturesIn(text ?? '')
    const shown = (list: HeaderList) =>
      // A header named __proto__ becomes an ordinary member.
      Object.fromEntries(list.map(([name, value]) => [name.toLowerCase(), redactor.header(name, value)]))
    this.#keep(requestId, {
      requestHeaders: shown(this.#incoming.headers()),
      requestBody: redacted(sent, redactor),
      answerHeaders: shown(headers),
      answerBody: redacted(answered, redactor),
      contractBody: this.#contractBody === undefined ? undefined : redactor.text(this.#contractBody),
    })
  }

  #add(chunk: Uint8Array): void {
    const room = mostOfBody - Math.min(this.#size, mostOfBody)
    // Copied, since the memory of a chunk may be reused; a Buffer's own `slice` would not copy.
    if (room > 0) this.#parts.push(new Uint8Array(chunk.subarray(0, room)))
    this.#size += chunk.byteLength
  }
}

/** Describes the beginning of a body of `size` bytes. */
function partOf(bytes: Uint8Array, size: number, type: string): KeptBody | undefined {
  if (size === 0) return undefined
  const text = textOf(bytes)
  if (text === undefined) return { text: `${size} bytes of ${type || 'binary data'}`, size, isCut: false }
  return { text, size, isCut: size > bytes.byteLength }
}

function redacted(body: KeptBody | undefined, redactor: SecretRedactor): KeptBody | undefined {
  const text = body && redactor.text(body.text)
  return body && { ...body, text: body.isCut ? `${text}`.slice(0, -longestSecret) : `${text}` }
}

/** Returns bytes as text; undefined if they are none. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // The last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function sizeOf({
  requestHeaders,
  answerHeaders,
  requestBody,
  answerBody,
  contractBody = '',
}: CapturedExchange): number {
  const ofHeaders = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  const ofBodies = (requestBody?.text.length ?? 0) + (answerBody?.text.length ?? 0) + contractBody.length
  return 500 + ofHeaders(requestHeaders) + ofHeaders(answerHeaders) + ofBodies
}
