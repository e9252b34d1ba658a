import { digestsOf } from './digests.ts'
import { type Exchange, parseJson, pathOf, TransportError, Undecided } from './exchange.ts'
import type { Label } from './label.ts'

/** How many requests a run may send where nothing else is said; a plain run needs about a third of them. */
export const defaultMaxRequests = 300

/** How long a run may take where nothing else is said, in milliseconds. */
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
   * Whether `fetch` itself refuses addresses that are more private than the deployment's, when it connects. Otherwise they are
   * refused by their spelling, before anything is sent. @default false
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
  /** Most requests a second. @default no limit */
  readonly perSecond?: number
  /**
   * Most requests of a run.
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
   * Ends the run when it aborts: nothing more is sent, and nothing is waited for.
   *
   * @default none
   * @example `{ signal: AbortSignal.timeout(60_000) }`
   */
  readonly signal?: AbortSignal
}

/** What is told of a run while it sends. */
export interface Observer {
  /** Called when a request is about to be sent. */
  onSend(label: Label | undefined): void
  /** Called when a request was answered, or got no answer. */
  onLogged(entry: Exchange | Unanswered): void
}

/** A request that was sent, and to which no usable answer came. */
export interface Unanswered extends Pick<Exchange, 'request' | 'label' | 'sent' | 'sentBytes' | 'durationMs'> {
  /** The reason, in the system's words. */
  readonly failure: string
}

/** A request that a limit of the run, or its safety, kept from being sent. */
export interface Withheld {
  readonly label?: Label
  readonly what: string
  readonly why: string
}

/** Time as the suite sees it; a test gives one that needs no waiting. Milliseconds. */
export interface Time {
  now(): number
  sleep(ms: number): Promise<void>
}

const realTime: Time = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Largest body that is read of an answer, unpacked, in bytes. */
const maxBytes = 1024 * 1024
/** The same for all answers of a run, since they are kept until its end. */
const maxBytesInAll = 32 * maxBytes
/** A body in more pieces than this is meant to keep its reader busy. */
const maxPieces = 100_000
/** Largest headers of an answer, in characters; Node's own limit is lower. */
const maxHeaders = 64 * 1024
/** Longest address that is used, in characters; signed ones have up to about 3,000. */
export const longestAddress = 16 * 1024
/** Longest wait that a deployment may ask for before it is asked again, in milliseconds. */
const longestWait = 10_000
/** How often a call that was throttled, or that a gateway could not pass on, is sent again. */
const maxAgain = 3
/** The pause before a call is sent again that a gateway could not pass on, in milliseconds; twice as long each time. */
const firstBackoff = 250
/** With what a call may be refused because it was carried out before. */
const saysDone = [409, 410, 422]
/** After so many calls in a row that failed each time, a gateway is not asked again: it is no passing trouble. */
const maxHopeless = 2
/** What a gateway answers if the service cannot be reached: it may work a moment later (RFC 9110 sections 15.6.3 to 15.6.5). */
const gatewayTroubles = [502, 503, 504]

/** Sends requests within bounds of size, time and number, and keeps what was exchanged. */
export class Transport {
  /** Every request that was sent, with its answer or without. */
  readonly log: (Exchange | Unanswered)[] = []
  /** Those of the log that were answered. */
  readonly exchanges: Exchange[] = []
  /** Requests that were not sent. */
  readonly withheld: Withheld[] = []
  readonly time: Time
  /** Told what is sent. @default nobody */
  observer: Observer | undefined
  waitedMs = 0
  /** How many requests were sent again after 429, 502, 503 or 504. */
  sentAgain = 0
  /** How many calls in a row a gateway could not pass on, however often they were sent. */
  #hopeless = 0
  #sent = 0
  #bytes = 0
  #nextAt = 0
  /** What ends each request that is on its way. */
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
    this.#begun = this.time.now()
    // One listener for all requests and waits: a signal warns of many.
    options.signal?.addEventListener('abort', () => {
      for (const controller of this.#open) controller.abort(new DOMException('the run was stopped', 'AbortError'))
      this.#stop()
    })
  }

  get sent(): number {
    return this.#sent
  }

  /** What is left of the time for everything, in milliseconds. */
  get leftMs(): number {
    if (this.#options.signal?.aborted) return 0
    return (this.#options.maxMs ?? defaultMaxMs) - (this.time.now() - this.#begun)
  }

  /** Waits, but not beyond the end of the run. */
  async sleep(ms: number): Promise<void> {
    const wait = Math.min(ms, Math.max(this.leftMs, 0))
    this.waitedMs += wait
    if (!this.#options.signal) return this.time.sleep(wait)
    if (wait > 0) await Promise.race([this.time.sleep(wait), this.#stopped])
  }

  /** Why nothing more is sent or waited for. */
  get #why(): string {
    return this.#options.signal?.aborted ? 'the run was stopped' : 'the time for the run is over'
  }

  /** Throws `Undecided` once the time for the run is over, whoever has used it up. */
  mustGoOn(what: string): void {
    if (this.leftMs <= 0) throw new Undecided(what, 'was not looked at', this.#why)
  }

  /**
   * Sends a request. One that is throttled (429) is sent again after the time that the deployment asks for. So is one that a
   * gateway could not pass on (502, 503, 504), with longer and longer pauses, if it was not carried out, or may be carried out
   * twice. Throws `Undecided` if no usable answer comes.
   */
  async send(request: Request, label?: Label): Promise<Exchange> {
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
    const said = { ...(label && { label }), ...(body && describeBody(body)) }
    let mayBeDone = false
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.#sendOnce(request, body, said, attempt < maxAgain)
      const { status } = exchange
      if (status === 429 && !exchange.isSentAgain) {
        const why = `the deployment answers 429, and asks to wait ${waitOf(exchange.headers) / 1000} s`
        throw new Undecided(pathOf(request), 'was not carried out', why)
      }
      if (!exchange.isSentAgain) {
        if (!gatewayTroubles.includes(status)) this.#hopeless = 0
        else if (attempt > 0) this.#hopeless += 1
        if (mayBeDone && saysDone.includes(status)) return this.#tellsNothing(exchange)
        return exchange
      }
      mayBeDone ||= request.method === 'POST' && (status === 502 || status === 504)
      this.sentAgain += 1
      await this.sleep(waitOf(exchange.headers, status === 429 ? 1000 : firstBackoff * 2 ** attempt))
    }
  }

  /** A call that was perhaps carried out the first time may be refused the second time for that very reason. */
  #tellsNothing({ request, status, label }: Exchange): never {
    const why = `a gateway failed with 502 or 504, and sent again the call was answered ${status}, perhaps since it was carried out the first time`
    this.withheld.push({ what: pathOf(request), why, ...(label && { label }) })
    throw new Undecided(pathOf(request), 'tells nothing', why)
  }

  /** Whether an answer says that the call is to be sent again, and that is safe. */
  #isToBeSentAgain({ method, url }: Request, status: number, headers: Headers): boolean {
    if (waitOf(headers, 0) > longestWait) return false
    if (status === 429) return true
    if (!gatewayTroubles.includes(status)) return false
    if (status === 503 && headers.has('Retry-After')) return true
    if (this.#hopeless >= maxHopeless) return false
    // An execution that was carried out twice would count twice.
    return status === 503 || method !== 'POST' || !new URL(url).pathname.endsWith('/execute')
  }

  /** Notes that a request is not sent, and returns the error to throw. */
  withhold(request: Request, why: string, label?: Label): Undecided {
    this.withheld.push({ what: pathOf(request), why, ...(label && { label }) })
    return new Undecided(pathOf(request), 'was not sent', why)
  }

  async #sendOnce(
    request: Request,
    sent: Uint8Array<ArrayBuffer> | undefined,
    said: Pick<Exchange, 'label' | 'sent' | 'sentBytes'>,
    maySendAgain: boolean,
  ): Promise<Exchange> {
    await this.#pace(request, said.label)
    const { fetch: send = fetch, timeoutMs = 10_000 } = this.#options
    const controller = new AbortController()
    const limit = Math.min(timeoutMs, Math.max(this.leftMs, 1))
    const timer = setTimeout(() => controller.abort(new DOMException('the time is over', 'TimeoutError')), limit)
    const begun = this.time.now()
    this.#open.add(controller)
    try {
      // A redirect is an answer; following it could take the key elsewhere.
      const { method, headers: asked } = request
      const init = { method, headers: asked, redirect: 'manual', signal: controller.signal } as const
      const bounded = new Request(request.url, sent ? { ...init, body: sent } : init)
      const response = await Promise.race([send(bounded), rejection(controller.signal)])
      const { status, headers } = response
      mustBeSmall(headers)
      const bytes = await readAtMost(response, maxBytes, controller.signal)
      this.#bytes += bytes.byteLength
      if (this.#bytes > maxBytesInAll) throw new TypeError(`the answers have more than ${maxBytesInAll} bytes in all`)
      const json = parseJson(bytes)
      const exchange: Exchange = {
        request,
        ...said,
        status,
        headers,
        bytes,
        ...(json !== undefined && { json }),
        ...(maySendAgain && this.#isToBeSentAgain(request, status, headers) && { isSentAgain: true }),
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

  async #pace(request: Request, label: Label | undefined): Promise<void> {
    const { perSecond, maxRequests = defaultMaxRequests } = this.#options
    if (this.#sent >= maxRequests) throw this.withhold(request, `${maxRequests} requests have been sent`, label)
    if (this.leftMs <= 0) throw this.withhold(request, this.#why, label)
    this.#sent += 1
    this.observer?.onSend(label)
    if (!perSecond) return
    const now = this.time.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + 1000 / perSecond
    if (at > now) await this.sleep(at - now)
    if (this.#options.signal?.aborted) throw this.withhold(request, this.#why, label)
  }
}

/** A body as text, or the size and digest of one that is no text. */
function describeBody(body: Uint8Array<ArrayBuffer>): Pick<Exchange, 'sent' | 'sentBytes'> {
  try {
    return { sent: new TextDecoder('utf-8', { fatal: true }).decode(body) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { sentBytes: digestsOf(body) }
  }
}

/** `Retry-After` in milliseconds, as seconds or as a date (RFC 9110 section 10.2.3); a second where it says nothing. */
export function waitOf(headers: Headers, otherwise = 1000): number {
  const text = headers.get('Retry-After')
  if (!text) return otherwise
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : otherwise
}

/** Why whatever is still on its way is dropped once an answer is read; made once, since an error with its stack is costly. */
const over = new DOMException('the exchange is over', 'AbortError')

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

function mustBeSmall(headers: Headers): void {
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length
  if (size > maxHeaders) throw new TypeError(`its headers are larger than ${maxHeaders} bytes`)
}

async function readAtMost({ body }: Response, limit: number, signal: AbortSignal): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  // A pending read of a cancelled stream ends, so there is no need to race each one.
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
  return joined(chunks, size)
}

/** Stops reading. A stream that has failed rejects this with the error that its last read gave already. */
async function cancel(reader: ReadableStreamDefaultReader): Promise<void> {
  await reader.cancel().then(undefined, (alreadyThrown: unknown) => alreadyThrown)
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0]
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Why no answer came, in the system's words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.code ?? cause?.message ?? error.message
}
