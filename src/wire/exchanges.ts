import { joinParts } from '../contract/bytes.ts'
import type { OperationId } from '../contract/operations.ts'
import { longestRecorded, type Recording } from '../session/recording.ts'
import type { RecordedCall } from '../session/session.ts'
import {
  bodyTextOf,
  type HeaderList,
  type Incoming,
  type Outgoing,
  publicUrlOf,
  type RefusalReason,
  WrittenJson,
} from './exchange.ts'

/** A request, without its key, query and body. */
export interface RequestEntry {
  /** Milliseconds since 1970, by the real clock. */
  readonly at: number
  /** The tenant; undefined if the key was refused. */
  readonly tenantId: string | undefined
  /** The operation; undefined if there is none at this path. */
  readonly operationId: OperationId | undefined
  readonly method: string
  readonly path: string
  /** The status of the answer; 0 if the connection was broken on purpose. */
  readonly status: number
  readonly durationMs: number
  /** The reason, if the request was refused. */
  readonly refusal?: RefusalReason
}

/** A request in the log. */
export interface LoggedRequest extends RequestEntry {
  /** The number of the request since the start, from 1. */
  readonly id: number
}

/** Selects the requests of a tenant, or all requests. */
export interface RequestSelection {
  readonly tenantId?: string | undefined
  /** True to include requests without a tenant, such as those with a wrong key. */
  readonly unassigned: boolean
}

function isSelected(request: RequestEntry, { tenantId, unassigned }: RequestSelection): boolean {
  if (tenantId === undefined || request.tenantId === tenantId) return true
  return unassigned && request.tenantId === undefined
}

/** The number of requests that are kept. */
const most = 1000
/** The number of exchanges whose content is kept while no console is open. A console that is opened later shows them. */
const mostUnwatched = 50
/** The limit of kept contents while a console is open, in bytes. */
const mostWatched = 16 * 1024 * 1024
/** The most bytes that are kept of a body, unless it is recorded. */
const longestBody = 64 * 1024
/** The most parts of a body that are kept apart. */
const mostParts = 64

interface Exchange {
  readonly request: LoggedRequest
  /** Undefined if it is not kept, or no longer. */
  content: CapturedContent | undefined
}

export interface ExchangesOptions {
  /** Keeps whole calls while it is on. */
  readonly recording: Recording
  /** True to keep the contents of the latest exchanges. */
  readonly keepsContents: boolean
  /** Is called with each request. @default nothing is called */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined
}

/** The latest requests, with the headers and bodies of the very latest. The log, the console and recordings read them here. */
export class Exchanges {
  readonly recording: Recording
  readonly #keepsContents: boolean
  readonly #onRequest: ExchangesOptions['onRequest']
  /** The oldest first. */
  #all: Exchange[] = []
  /** The index of the oldest one whose content is kept, and the memory of the contents while a console is open, in bytes. */
  #firstWhole = 0
  #bytes = 0
  /** Ends each watch. */
  readonly #watchers = new Set<() => void>()
  /** The number of the latest request; 0 before the first one. */
  lastId = 0
  /** The number of the latest request that is no longer kept because there are newer ones. */
  droppedId = 0

  constructor({ recording, keepsContents, onRequest }: ExchangesOptions) {
    this.recording = recording
    this.#keepsContents = keepsContents
    this.#onRequest = onRequest
  }

  /** Begins to keep the content of an exchange. Returns undefined if neither a console nor a recording needs it. */
  begin(request: Incoming): CapturedContent | undefined {
    const { isOn } = this.recording
    if (!this.#keepsContents && !isOn) return undefined
    return isOn
      ? new CapturedContent(request, longestRecorded, this.recording.createDigest())
      : new CapturedContent(request, longestBody)
  }

  /** Adds a request that was answered, and returns its number. */
  add(entry: RequestEntry, content?: CapturedContent): number {
    this.lastId += 1
    const request = { id: this.lastId, ...entry }
    const exchange: Exchange = { request, content: this.#keepsContents ? content : undefined }
    this.#all.push(exchange)
    if (this.#watchers.size > 0) this.#bytes += exchange.content?.bytes ?? 0
    this.#trim()
    // Dropped only occasionally: a shift for each request would cost more than storing it.
    if (this.#all.length >= most * 2) {
      const surplus = this.#all.length - most
      while (this.#firstWhole < surplus) this.#forgetOldest()
      this.#firstWhole -= surplus
      this.droppedId = this.#all.splice(0, surplus).at(-1)?.request.id ?? 0
    }
    if (content && this.recording.isOn) this.recording.add(content.toCall(entry))
    this.#onRequest?.(request)
    return request.id
  }

  /** Returns the latest requests that a reader wants, the oldest first. */
  read(limit: number, selection: RequestSelection): LoggedRequest[] {
    const kept = this.#all.slice(-most).map(({ request }) => request)
    return kept.filter((request) => isSelected(request, selection)).slice(-limit)
  }

  /** Returns a request by its number, with what is kept of its content. */
  find(id: number): Exchange | undefined {
    return this.#all.find(({ request }) => request.id === id)
  }

  /** Returns the requests after the one with a number that a reader wants, the oldest first. */
  after(id: number, selection: RequestSelection): LoggedRequest[] {
    let start = this.#all.length
    while (start > 0 && (this.#all[start - 1]?.request.id ?? 0) > id) start -= 1
    return this.#all.slice(start).flatMap(({ request }) => (isSelected(request, selection) ? [request] : []))
  }

  /** Keeps more contents until the returned function is called. `end` is called when the mock stops. */
  watch(end: () => void): () => void {
    this.#watchers.add(end)
    this.#bytes = this.#sum()
    return () => {
      this.#watchers.delete(end)
      this.#trim()
    }
  }

  /** Ends all watching, since the mock stops. */
  stop(): void {
    for (const end of this.#watchers) end()
  }

  /** Removes the requests of a tenant, or all. A recording goes on. */
  clear(tenantId?: string): void {
    const isLeft = ({ request }: Exchange) => tenantId !== undefined && request.tenantId !== tenantId
    this.#firstWhole = this.#all.slice(0, this.#firstWhole).filter(isLeft).length
    this.#all = this.#all.filter(isLeft)
    this.#bytes = this.#sum()
  }

  /** Returns the memory of the contents, in bytes. */
  #sum(): number {
    return this.#all.slice(this.#firstWhole).reduce((sum, { content }) => sum + (content?.bytes ?? 0), 0)
  }

  #trim(): void {
    const isWatched = this.#watchers.size > 0
    const isTooMuch = () =>
      isWatched ? this.#bytes > mostWatched : this.#all.length - this.#firstWhole > mostUnwatched
    while (isTooMuch()) this.#forgetOldest()
  }

  #forgetOldest(): void {
    const oldest = this.#all[this.#firstWhole]
    this.#firstWhole += 1
    if (!oldest?.content) return
    if (this.#watchers.size > 0) this.#bytes -= oldest.content.bytes
    oldest.content = undefined
  }
}

/** The headers and bodies of an exchange as they were, with keys and signatures. These are removed when it is shown, which few are. */
export class CapturedContent {
  readonly at = Date.now()
  readonly method: string
  readonly path: string
  readonly url: string
  readonly headers: HeaderList
  /** The request's body, or only its beginning. */
  parts: Uint8Array[] = []
  /** The size of the request's body in bytes. */
  size = 0
  answerHeaders: HeaderList = []
  /** The answer's body, or only its beginning; and the size of all of it. */
  answer: RecordedCall['answer'] = { bytes: '', size: 0 }
  /** The contract's body, if a profile has rendered the answer. Bytes that all reads share become a text only when they are shown. */
  #contractBody: string | Uint8Array | undefined
  readonly #longest: number
  readonly #digest: ReturnType<Recording['createDigest']> | undefined

  /** Notes the body of the request here when it is read. Kept contents keep neither requests nor their sockets. */
  constructor(request: Incoming, longest: number, digest?: ReturnType<Recording['createDigest']>) {
    const { method, path, search, headers, readBody } = request
    this.method = method
    this.path = path + search
    this.url = publicUrlOf(request) + this.path
    this.headers = headers()
    this.#longest = longest
    this.#digest = digest
    request.readBody = (take) =>
      readBody((chunk) => {
        this.#add(chunk)
        return take(chunk)
      })
  }

  get contractBody(): string | undefined {
    return typeof this.#contractBody === 'object' ? new TextDecoder().decode(this.#contractBody) : this.#contractBody
  }

  /** The memory that it takes, in bytes. */
  get bytes(): number {
    const ofHeaders = (list: HeaderList) => list.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    const ofBodies = Math.min(this.size, this.#longest) + this.answer.bytes.length + (this.#contractBody?.length ?? 0)
    return 500 + ofHeaders(this.headers) + ofHeaders(this.answerHeaders) + ofBodies
  }

  /** Notes the answer, and the contract's own if a profile has rendered it. */
  end({ headers, body = '', contract }: Outgoing): this {
    const own = contract?.value instanceof WrittenJson ? contract.value.bytes : contract && bodyTextOf(contract)
    if (own !== undefined && own.length <= longestBody) this.#contractBody = own
    this.answerHeaders = headers
    this.answer = { bytes: body, size: body.length }
    if (body.length <= this.#longest) return this
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    // Copied, so that the rest of the body is not kept with its beginning.
    this.answer = { bytes: new Uint8Array(bytes.subarray(0, this.#longest)), size: bytes.length }
    return this
  }

  /** Returns the whole exchange for a recording. */
  toCall({ tenantId, durationMs, status }: RequestEntry): RecordedCall {
    const { at, method, url, headers, parts, size, answerHeaders, answer } = this
    const sha256 = Array.from(this.#digest?.digest() ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('')
    return { tenantId, at, durationMs, method, url, headers, parts, size, sha256, status, answerHeaders, answer }
  }

  #add(chunk: Uint8Array): void {
    this.#digest?.update(chunk)
    const room = this.#longest - Math.min(this.size, this.#longest)
    // The memory of a file's chunk is reused; a Buffer's own `slice` would not copy it.
    const isReused = this.method === 'PUT'
    if (room > 0) this.parts.push(isReused ? new Uint8Array(chunk.subarray(0, room)) : chunk.subarray(0, room))
    // A client may send single bytes, and an object for each would take a hundred times the memory.
    if (this.parts.length > mostParts) this.parts = [joinParts(this.parts)]
    this.size += chunk.byteLength
  }
}
