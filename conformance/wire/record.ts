import type { SentBytes } from './digests.ts'
import { type Exchange, parseJson } from './exchange.ts'
import type { Label } from './label.ts'
import type { Redactor } from './redact.ts'
import type { Transport, Unanswered, Withheld } from './transport.ts'

/** A request and its answer, if any, as a report holds them: secrets are redacted, bodies are text. */
export interface ExchangeRecord {
  readonly label?: Label
  readonly method: string
  /** Without its query, in which a signature may stand. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The body as text; a note in angle brackets if it is none. */
  readonly requestBody?: string
  /** Size and digests of a request body that is no text. */
  readonly requestBytes?: SentBytes
  /** Absent if no answer came. */
  readonly status?: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** The size of the answer's body, if it is not that of the text. */
  readonly responseSize?: number
  /** True if `responseBody` is not the whole body, so that nothing can be judged from it. */
  readonly isCut?: boolean
  readonly durationMs: number
  /** The reason why no answer came. */
  readonly failure?: string
}

/** As much of a body as a transcript holds, in characters. Nothing is judged from a longer one. */
const longestBody = 64 * 1024
/** As much of a header, and as many headers. */
const longestHeader = 2000
const mostHeaders = 100

/** Everything that was sent and answered in a run, redacted, in the order of the answers. Verdicts follow from it alone. */
export interface Transcript {
  readonly exchanges: readonly ExchangeRecord[]
  /** Requests that a limit or the run's safety kept from being sent. */
  readonly withheld: readonly Withheld[]
  /** Errors of the suite itself, by the step that broke. */
  readonly crashes: readonly Crash[]
}

/** A step that an error of the suite ended. */
export interface Crash {
  readonly step: Label['step']
  readonly attempt: number
  readonly error: string
}

/** Returns what a transport has sent so far, redacted. */
export function transcriptOf(transport: Transport, crashes: readonly Crash[], redactor: Redactor): Transcript {
  return {
    exchanges: transport.log.map((exchange) => recordOf(exchange, redactor)),
    withheld: redactor.deep([...transport.withheld]),
    crashes: redactor.deep([...crashes]),
  }
}

/** Returns an exchange as a report holds it. */
export function recordOf(exchange: Exchange | Unanswered, redactor: Redactor): ExchangeRecord {
  const { request, label, sent, sentBytes, durationMs } = exchange
  const url = new URL(request.url)
  if (url.search) url.search = '?***'
  return {
    // Ours to say: redacting it could only hide which step it was.
    ...(label && { label: { ...label, ...(label.about !== undefined && { about: redactor.text(label.about) }) } }),
    method: request.method,
    url: addressIn(url, redactor),
    requestHeaders: headersIn(
      [...request.headers].filter(([name]) => name !== 'user-agent'),
      redactor,
    ),
    ...(sent !== undefined && { requestBody: redactor.text(sent) }),
    ...(sentBytes && { requestBody: `<${sentBytes.size} bytes>`, requestBytes: sentBytes }),
    ...answerOf(exchange, redactor),
    durationMs: Math.round(durationMs * 10) / 10,
  }
}

/** An address that stays one. If texts are withheld, so is its path. */
function addressIn(url: URL, redactor: Redactor): string {
  const address = redactor.text(url.href)
  return URL.canParse(address) ? address : `${url.protocol}//withheld.invalid/`
}

function answerOf(exchange: Exchange | Unanswered, redactor: Redactor) {
  if ('failure' in exchange) {
    return { responseHeaders: {}, responseBody: '', failure: redactor.text(exchange.failure) }
  }
  const { status, headers, bytes } = exchange
  // A byte order mark is a part of the body too.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const isCut = text.length > longestBody || redactor.isFull
  return {
    status,
    responseHeaders: headersIn([...headers], redactor),
    responseBody: redactor.text(text, longestBody),
    responseSize: bytes.byteLength,
    ...(isCut && { isCut }),
  }
}

function headersIn(headers: readonly (readonly [string, string])[], redactor: Redactor): Record<string, string> {
  return Object.fromEntries(
    headers
      .slice(0, mostHeaders)
      .map(([name, value]) => [name.slice(0, longestHeader), redactor.text(value, longestHeader)]),
  )
}

/** An exchange and its place in the transcript. */
export type Recorded = Exchange & { readonly place: number }

/** What a transcript holds, read back into exchanges. */
export interface RunHistory {
  /** In the order of the answers; an entry without an answer says why. */
  readonly log: readonly (Exchange | Unanswered)[]
  readonly withheld: readonly Withheld[]
  readonly crashes: readonly Crash[]
}

/** Reads a transcript back. */
export function historyOf({ exchanges, withheld, crashes }: Transcript): RunHistory {
  return { log: exchanges.map(exchangeOf), withheld, crashes }
}

function exchangeOf(record: ExchangeRecord): Exchange | Unanswered {
  const { method, url, status, label, requestBody, requestBytes, durationMs, failure = 'unknown' } = record
  const asked = {
    request: { method, url, headers: headersOf(record.requestHeaders) },
    ...(label && { label }),
    ...(requestBytes ? { sentBytes: requestBytes } : requestBody !== undefined && { sent: requestBody }),
    durationMs,
  }
  if (status === undefined) return { ...asked, failure }
  const isCut = record.isCut === true
  const bytes = new TextEncoder().encode(record.responseBody)
  const json = parseJson(bytes)
  return {
    ...asked,
    status,
    headers: headersOf(record.responseHeaders),
    bytes,
    ...(json !== undefined && { json }),
    ...(isCut && { isCut }),
  }
}

/** Headers from a record; one that redaction has made unsendable is left out. */
function headersOf(record: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(record)) {
    try {
      headers.set(name, value)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  return headers
}
