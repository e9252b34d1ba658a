import { joinParts } from '../../src/contract/bytes.ts'
import { digestsOf } from '../../src/session/digests.ts'
import { type Exchange, jsonParser, pathOf, TransportError, Undecided } from './exchange.ts'
import type { Label } from './label.ts'

/** The default limit of requests for a run. A normal run needs about a third of them. */
export const defaultMaxRequests = 300

/** The default time limit for a run, in milliseconds. */
export const defaultMaxMs = 120_000

export interface TransportOptions {
  /**
   * Sends a request.
   *
   * @default the global fetch
   * @example `{ fetch: (request) => fetch(request) }`
   */
  readonly fetch?: (request: Request) => Promise<Response>
  /**
   * Creates the requests that `fetch` gets. @default the global Request
   *
   * @internal
   */
  readonly Request?: new (
    url: string,
    init: RequestInit,
  ) => object
  /**
   * True if `fetch` refuses to connect to addresses that are more private than the deployment's. Otherwise such addresses are
   * refused by their spelling, before a request is sent. @default false
   *
   * @internal
   */
  readonly checksAddresses?: boolean
  /**
   * Time limit for each request, in milliseconds.
   *
   * @default 10000
   * @example `{ timeoutMs: 30_000 }`
   */
  readonly timeoutMs?: number
  /** Limit of requests per second. @default no limit */
  readonly perSecond?: number
  /**
   * Limit of requests for the run.
   *
   * @default 300
   * @example `{ maxRequests: 200 }`
   */
  readonly maxRequests?: number
  /**
   * Time limit for the run, in milliseconds.
   *
   * @default 120000
   * @example `{ maxMs: 60_000 }`
   */
  readonly maxMs?: number
  /**
   * Clock of the run. @default the real time
   *
   * @internal
   */
  readonly time?: Time
  /**
   * Ends the run when it aborts: no more requests are sent, and no wait continues.
   *
   * @default none
   * @example `{ signal: AbortSignal.timeout(60_000) }`
   */
  readonly signal?: AbortSignal
}

/** An answer of a server that is a function, whose body is no stream. */
interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly whole: Uint8Array
}

/** Observes the requests of a run. */
export interface Observer {
  /** Called before a request is sent. */
  onSend(label: Label | undefined): void
  /** Called when a request is complete, with or without an answer. */
  onLogged(entry: Exchange | Unanswered): void
}

/** A request without a usable answer. */
export interface Unanswered extends Pick<Exchange, 'request' | 'label' | 'sent' | 'sentBytes' | 'durationMs'> {
  /** The reason, as the system words it. */
  readonly failure: string
}

/** A request that was not sent, because of a limit or a safety rule. */
export interface Withheld {
  readonly label?: Label
  readonly what: string
  readonly why: string
}

/** The time of a run, in milliseconds. Tests replace it by one without real waits. */
export interface Time {
  now(): number
  sleep(ms: number): Promise<void>
  /** The time of day, in milliseconds since 1970. @default that of this machine */
  date?(): number
}

/** The time of this machine. */
export const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Limit for the decompressed body of an answer, in bytes. */
const maxBytes = 1024 * 1024
/** Limit for all answers of a run together, since they are kept until its end, in bytes. */
const maxBytesInAll = 32 * maxBytes
/** Limit for the chunks of a body. A body with more chunks is meant to keep its reader busy. */
const maxPieces = 100_000
/** Limit for the headers of an answer, in characters. Node's own limit is lower. */
const maxHeaders = 64 * 1024
/** Limit for the length of an address, in characters. Signed URLs have up to about 3,000. */
export const longestAddress = 16 * 1024
/** The longest `Retry-After` of a gateway that the suite waits for, in milliseconds. */
const longestWait = 10_000
/** The number of retries after 502, 503 or 504, and after 429 if meanwhile no other call passes. */
const maxRetries = 3
/** The longest time between two requests after a 429, in milliseconds, unless a limit sets a longer one. */
const throttledMs = 100
/** The pause before the first retry after a gateway error, in milliseconds. It doubles with each retry. */
const firstBackoff = 250
/** The statuses that a retry may get because the first attempt was carried out. */
const alreadyDone = [409, 410, 422]
/** After this many consecutive calls whose retries all failed, the gateway's trouble is not temporary, and retries stop. */
const maxFailedCalls = 2
/** The statuses of a gateway that cannot reach the service. They may be temporary (RFC 9110 sections 15.6.3 to 15.6.5). */
const gatewayErrors = [502, 503, 504]

/** A request to send. */
export type OutgoingCall = Request | BuiltCall

/** A request as data, with the constructor of a `Request`, whose body would be a stream that is read only to send it. */
export class BuiltCall {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** Absent if there is no body. */
  readonly bytes?: Uint8Array<ArrayBuffer>

  constructor(
    url: string,
    {
      method = 'GET',
      headers,
      body,
    }: { method?: string; headers?: HeadersInit; body?: string | Uint8Array<ArrayBuffer> },
  ) {
    this.method = method
    this.url = new URL(url).href
    this.headers = new Headers(headers)
    if (body !== undefined) this.bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  }
}

/** Sends requests within limits of number, size and time, and records them with their answers. */
export class Transport {
  /** All requests that were sent, with or without an answer. */
  readonly log: (Exchange | Unanswered)[] = []
  /** The requests of the log that were answered. */
  readonly exchanges: Exchange[] = []
  /** Requests that were not sent. */
  readonly withheld: Withheld[] = []
  readonly time: Time
  /** @default none */
  observer: Observer | undefined
  waitedMs = 0
  /** The number of retries after 429, 502, 503 or 504. */
  sentAgain = 0
  /** The number of consecutive calls whose retries all failed at a gateway. */
  #failedCalls = 0
  #sent = 0
  #bytes = 0
  readonly #parse = jsonParser()
  #nextAt = 0
  /** The time between two requests, in milliseconds. */
  #interval: number
  /** The time of the last 429. Those for requests that were on their way by then change nothing. */
  #throttledAt = Number.NEGATIVE_INFINITY
  /** The waits after 429 together, in milliseconds. They also delay requests that had their time before. */
  #heldMs = 0
  /** The number of answers other than 429. */
  #passed = 0
  /** The controllers of the requests in flight. */
  readonly #open = new Set<AbortController>()
  #stop = () => {}
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve
  })
  readonly #begun: number
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
    this.time = options.time ?? realTime
    this.#interval = 1000 / (options.perSecond ?? Number.POSITIVE_INFINITY)
    this.#begun = this.time.now()
    if (options.signal) {
      onAbort(options.signal, () => {
        for (const controller of this.#open) controller.abort(new DOMException('the run was stopped', 'AbortError'))
        this.#stop()
      })
    }
  }

  get sent(): number {
    return this.#sent
  }

  /** The time left for the run, in milliseconds. */
  get leftMs(): number {
    if (this.#options.signal?.aborted) return 0
    return (this.#options.maxMs ?? defaultMaxMs) - (this.time.now() - this.#begun)
  }

  /** Waits, but at most until the end of the run. */
  async sleep(ms: number): Promise<void> {
    const wait = Math.min(ms, Math.max(this.leftMs, 0))
    this.waitedMs += wait
    if (!this.#options.signal) return this.time.sleep(wait)
    if (wait > 0) await Promise.race([this.time.sleep(wait), this.#stopped])
  }

  /** The reason for the end of the run. */
  get #endReason(): string {
    return this.#options.signal?.aborted ? 'the run was stopped' : 'the time for the run is over'
  }

  /** Throws `Undecided` if the time for the run is over. */
  mustGoOn(what: string): void {
    if (this.leftMs <= 0) throw new Undecided(what, 'was not looked at', this.#endReason)
  }

  /**
   * Sends a request. After 429 it is sent again when the `Retry-After` has passed, as long as other calls succeed. After a gateway error
   * (502, 503, 504) it is sent again with growing pauses, if it was not carried out or may safely be carried out twice. Throws `Undecided`
   * if there is no usable answer.
   */
  async send(request: OutgoingCall, label?: Label): Promise<Exchange> {
    const isBuilt = request instanceof BuiltCall
    const body = isBuilt ? request.bytes : request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
    const said = { ...(label && { label }), ...(body && describeBody(body)) }
    let mayBeDone = false
    let passed = this.#passed
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.#sendOnce(request, body, said, attempt < maxRetries)
      const { status } = exchange
      // Calls that pass are a sign that this one will.
      if (status === 429 && this.#passed > passed) attempt = 0
      passed = this.#passed
      if (status === 429 && !exchange.isSentAgain) {
        const why = `the deployment answers 429, and asks to wait ${waitOf(exchange.headers) / 1000} s; send fewer requests per second`
        throw new Undecided(pathOf(request), 'was not carried out', why)
      }
      if (!exchange.isSentAgain) {
        if (!gatewayErrors.includes(status)) this.#failedCalls = 0
        else if (attempt > 0) this.#failedCalls += 1
        if (!mayBeDone || !alreadyDone.includes(status)) return exchange
        const why = `a gateway failed with 502 or 504, and the retry was answered ${status}, perhaps because the first attempt was carried out`
        throw this.withhold(request, why, label, 'tells nothing')
      }
      mayBeDone ||= request.method === 'POST' && (status === 502 || status === 504)
      this.sentAgain += 1
      if (status !== 429) await this.sleep(waitOf(exchange.headers, firstBackoff * 2 ** attempt))
    }
  }

  /** After 429, sends nothing until the wait is over, and then not all at once. Counts the other answers. */
  #heed({ status, headers }: Response | WholeAnswer, sentAt: number): void {
    if (status !== 429) this.#passed += 1
    else if (sentAt > this.#throttledAt) {
      const wait = waitOf(headers)
      this.#throttledAt = this.time.now()
      this.#nextAt = Math.max(this.#nextAt, this.#throttledAt) + wait
      this.#heldMs += wait
      this.#interval = Math.max(this.#interval, Math.min(wait / 10, throttledMs))
    }
  }

  /** Checks whether an answer asks for a retry, and a retry is safe. */
  #shouldRetry({ method, url }: OutgoingCall, status: number, headers: Headers): boolean {
    const wait = waitOf(headers, 0)
    if (status === 429) return wait < this.leftMs
    if (wait > longestWait) return false
    if (!gatewayErrors.includes(status)) return false
    if (status === 503 && headers.has('Retry-After')) return true
    if (this.#failedCalls >= maxFailedCalls) return false
    // Starting an execution twice would count twice.
    return status === 503 || method !== 'POST' || !new URL(url).pathname.endsWith('/execute')
  }

  /** Records that a request was not sent, or that its answer tells nothing. Returns the error to throw. */
  withhold(request: OutgoingCall, why: string, label?: Label, became = 'was not sent'): Undecided {
    this.withheld.push({ what: pathOf(request), why, ...(label && { label }) })
    return new Undecided(pathOf(request), became, why)
  }

  async #sendOnce(
    request: OutgoingCall,
    sent: Uint8Array<ArrayBuffer> | undefined,
    said: Pick<Exchange, 'label' | 'sent' | 'sentBytes'>,
    maySendAgain: boolean,
  ): Promise<Exchange> {
    await this.#pace(request, said.label)
    const { fetch: send = fetch, Request: Built = Request, timeoutMs = 10_000 } = this.#options
    const controller = new AbortController()
    const limit = Math.min(timeoutMs, Math.max(this.leftMs, 1))
    const timer = setTimeout(() => controller.abort(new DOMException('the time is over', 'TimeoutError')), limit)
    const begun = this.time.now()
    const at = this.time.date?.() ?? Date.now()
    this.#open.add(controller)
    try {
      // A redirect is an answer. Following it could send the key to another server.
      const { method, headers: asked } = request
      const init = { method, headers: asked, redirect: 'manual', signal: controller.signal } as const
      const bounded = new Built(request.url, sent ? { ...init, body: sent } : init) as Request
      const response: Response | WholeAnswer = await Promise.race([send(bounded), rejectOnAbort(controller.signal)])
      const { status, headers } = response
      this.#heed(response, begun)
      mustBeSmall(headers)
      const bytes = isWhole(response) ? response.whole : await readAtMost(response, maxBytes, controller.signal)
      this.#bytes += bytes.byteLength
      if (this.#bytes > maxBytesInAll) throw new TypeError(`the answers have more than ${maxBytesInAll} bytes in all`)
      const json = this.#parse(bytes)
      const exchange: Exchange = {
        request,
        at,
        ...said,
        status,
        headers,
        bytes,
        ...(json !== undefined && { json }),
        ...(maySendAgain && this.#shouldRetry(request, status, headers) && { isSentAgain: true }),
        durationMs: this.time.now() - begun,
      }
      this.exchanges.push(exchange)
      this.#note(exchange)
      return exchange
    } catch (error) {
      const failure = reasonOf(error)
      this.#note({ request, ...said, durationMs: this.time.now() - begun, failure })
      throw new TransportError(pathOf(request), failure)
    } finally {
      clearTimeout(timer)
      this.#open.delete(controller)
      controller.abort(over)
    }
  }

  #note(entry: Exchange | Unanswered): void {
    this.log.push(entry)
    this.observer?.onLogged(entry)
  }

  async #pace(request: OutgoingCall, label: Label | undefined): Promise<void> {
    const { maxRequests = defaultMaxRequests } = this.#options
    if (this.#sent >= maxRequests) throw this.withhold(request, `${maxRequests} requests have been sent`, label)
    if (this.leftMs <= 0) throw this.withhold(request, this.#endReason, label)
    this.#sent += 1
    this.observer?.onSend(label)
    const now = this.time.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#interval
    let held = this.#heldMs
    if (at > now) await this.sleep(at - now)
    for (; held < this.#heldMs && this.leftMs > 0; held = this.#heldMs) await this.sleep(this.#heldMs - held)
    if (this.leftMs <= 0) throw this.withhold(request, this.#endReason, label)
  }
}

/** Returns a body as text, or its size and digest if it is not text. */
function describeBody(body: Uint8Array<ArrayBuffer>): Pick<Exchange, 'sent' | 'sentBytes'> {
  try {
    // A byte order mark is a part of what was sent.
    return { sent: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { sentBytes: digestsOf(body) }
  }
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110 section 10.2.3). Returns milliseconds; `otherwise` without a valid one. */
export function waitOf(headers: Headers, otherwise = 1000): number {
  const text = headers.get('Retry-After')
  if (!text) return otherwise
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : otherwise
}

/** Aborts the rest of an exchange after its answer was read. Created once, since an error with its stack is costly. */
const over = new DOMException('the exchange is over', 'AbortError')

/** The functions to call when each signal is aborted. */
const reactions = new WeakMap<AbortSignal, (() => void)[]>()

/** Calls a function when a signal is aborted. One listener serves all runs of a command, since Node warns if a signal has many. */
function onAbort(signal: AbortSignal, react: () => void): void {
  const known = reactions.get(signal)
  if (known) return void known.push(react)
  const all = [react]
  reactions.set(signal, all)
  signal.addEventListener('abort', () => {
    for (const one of all) one()
  })
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

function mustBeSmall(headers: Headers): void {
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length
  if (size > maxHeaders) throw new TypeError(`its headers are larger than ${maxHeaders} bytes`)
}

function isWhole(answer: Response | WholeAnswer): answer is WholeAnswer {
  return 'whole' in answer
}

async function readAtMost({ body }: Response, limit: number, signal: AbortSignal): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  // Cancelling ends a pending read, so no read needs a race against the signal.
  const stop = () => void cancel(reader)
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let pieces = 1; ; pieces += 1) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) break
      size += value.byteLength
      if (size > limit) throw new TypeError(`it is larger than ${limit} bytes`)
      if (pieces > maxPieces) throw new TypeError(`it comes in more than ${maxPieces} pieces`)
      chunks.push(value)
    }
  } catch (error) {
    void cancel(reader)
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  const [only] = chunks
  return chunks.length === 1 && only ? only : joinParts(chunks)
}

/** Stops reading. A failed stream rejects again with the error of its last read, which was already thrown. */
async function cancel(reader: ReadableStreamDefaultReader): Promise<void> {
  await reader.cancel().then(undefined, (alreadyThrown: unknown) => alreadyThrown)
}

/** Returns why there is no answer, as the system words it: the code of the root cause, or its message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const { code } = error as { readonly code?: unknown }
  // A refusal by a proxy has only a general code. The code of a `DOMException` is a number.
  return typeof code === 'string' && code !== 'UND_ERR_ABORTED' ? code : error.message
}
