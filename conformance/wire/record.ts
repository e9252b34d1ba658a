import type { SentBytes } from '../../src/session/digests.ts'
import { type Exchange, jsonParser, shareSentJson } from './exchange.ts'
import type { Label } from './label.ts'
import { type Redactor, redacted } from './redact.ts'
import type { Transport, Unanswered, Withheld } from './transport.ts'

/** A request and its answer, if any, as stored in a report: with redacted secrets, and with bodies as text. */
export interface ExchangeRecord {
  readonly label?: Label
  readonly method: string
  /** Without the query, which may contain a signature. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The body as text; a note in angle brackets if it is binary. */
  readonly requestBody?: string
  /** Size and digests of a binary request body. */
  readonly requestBytes?: SentBytes
  /** Absent if there was no answer. */
  readonly status?: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  /** The size of the answer's body in bytes. */
  readonly responseSize?: number
  /** True if `responseBody` is only a part of the body, so that it cannot be judged. */
  readonly isCut?: boolean
  /** True if the same request was retried, as the deployment asked. Checks ignore this answer. */
  readonly isSentAgain?: boolean
  readonly durationMs: number
  /** The reason why there was no answer. */
  readonly failure?: string
}

/** The longest body in a transcript, in characters. Longer ones are truncated and not judged. */
export const longestBody = 64 * 1024
/** The longest header, in characters, and the most headers in a transcript. */
const longestHeader = 2000
const mostHeaders = 100

/** All exchanges of a run, redacted, in the order of the answers. The verdicts depend on nothing else. */
export interface Transcript {
  readonly exchanges: readonly ExchangeRecord[]
  /** Requests that were not sent because of a limit or for safety. */
  readonly withheld: readonly Withheld[]
  /** Errors of the suite itself. */
  readonly crashes: readonly Crash[]
}

/** A step that ended with an error of the suite itself. */
export interface Crash {
  readonly step: Label['step']
  readonly attempt: number
  readonly error: string
}

/** The latest record of each exchange, and with how many signatures it was redacted. */
const latest = new WeakMap<
  Exchange | Unanswered,
  { readonly redactor: Redactor; readonly signatures: number; readonly record: ExchangeRecord }
>()

/** Returns the redacted transcript of a transport up to now. Exchanges are redacted again once there are more signatures. */
export function transcriptOf(transport: Transport, crashes: readonly Crash[], redactor: Redactor): Transcript {
  const { signatures, isFull } = redactor
  return {
    exchanges: transport.log.map((exchange) => {
      const known = latest.get(exchange)
      if (known?.redactor === redactor && known.signatures === signatures && !isFull) return known.record
      const record = recordOf(exchange, redactor)
      latest.set(exchange, { redactor, signatures, record })
      return record
    }),
    withheld: redactor.deep([...transport.withheld]),
    crashes: redactor.deep([...crashes]),
  }
}

/** Converts an exchange to its redacted record. */
export function recordOf(exchange: Exchange | Unanswered, redactor: Redactor): ExchangeRecord {
  const { request, label, sent, sentBytes, durationMs } = exchange
  const url = new URL(request.url)
  if (url.search) url.search = '?***'
  const text = 'status' in exchange ? textOf(exchange.bytes) : ''
  const record: ExchangeRecord = {
    // The name of the step is ours and contains no secret. Redaction could only make it unreadable.
    ...(label && { label: { ...label, ...(label.about !== undefined && { about: redactor.text(label.about) }) } }),
    method: request.method,
    url: addressIn(url, redactor),
    requestHeaders: headersIn(
      [...request.headers]
        .filter(([name]) => name !== 'user-agent')
        .map(([name, value]) => [name, redactor.hides(name) ? redacted.part : value]),
      (_, value) => redactor.text(value, longestHeader),
    ),
    ...(sent !== undefined && { requestBody: redactor.text(sent) }),
    ...(sentBytes && { requestBody: `<${sentBytes.size} bytes>`, requestBytes: sentBytes }),
    ...answerOf(exchange, text, redactor),
    durationMs: Math.round(durationMs * 10) / 10,
  }
  const isSame = 'status' in exchange && record.responseBody === text
  originals.set(record, { request, ...(isSame && { answer: { json: exchange.json } }) })
  return record
}

/**
 * The requests of the records that were made here, and the parsed answers if nothing in them was redacted or cut. A run is judged
 * while it goes on, and again from its records; bodies that are the same are parsed and searched once.
 */
const originals = new WeakMap<
  ExchangeRecord,
  Pick<Exchange, 'request'> & { readonly answer?: { readonly json: unknown } }
>()

/** Lets a copy of records share what was found in the bodies of the originals, where these are the same. */
export function shareBodies(from: readonly ExchangeRecord[], to: readonly ExchangeRecord[]): void {
  for (const [index, record] of to.entries()) {
    const original = from[index]
    const known = original && originals.get(original)
    if (known && original.responseBody === record.responseBody && original.requestBody === record.requestBody)
      originals.set(record, known)
  }
}

/** Decodes a body. Keeps a byte order mark, which is part of it. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Redacts an address so that it stays a valid URL. If texts are withheld, so is its path. */
function addressIn(url: URL, redactor: Redactor): string {
  const address = redactor.text(url.href)
  return URL.canParse(address) ? address : `${url.protocol}//withheld.invalid/`
}

function answerOf(exchange: Exchange | Unanswered, text: string, redactor: Redactor) {
  if ('failure' in exchange) {
    return { responseHeaders: {}, responseBody: '', failure: redactor.text(exchange.failure) }
  }
  const { status, headers, bytes } = exchange
  const isCut = text.length > longestBody || redactor.isFull
  return {
    status,
    responseHeaders: headersIn([...headers], (name, value) => redactor.header(name, value).slice(0, longestHeader)),
    responseBody: redactor.text(text, longestBody),
    responseSize: bytes.byteLength,
    ...(isCut && { isCut }),
    ...(exchange.isSentAgain && { isSentAgain: true }),
  }
}

function headersIn(
  headers: readonly (readonly [string, string])[],
  clean: (name: string, value: string) => string,
): Record<string, string> {
  const shown = headers.slice(0, mostHeaders)
  return Object.fromEntries(shown.map(([name, value]) => [name.slice(0, longestHeader), clean(name, value)]))
}

/** An exchange with its index in the transcript. */
export type Recorded = Exchange & { readonly place: number }

/** A transcript with its records converted back to exchanges. */
export interface RunHistory {
  /** In the order of the answers. An entry without an answer has the reason. */
  readonly log: readonly (Exchange | Unanswered)[]
  readonly withheld: readonly Withheld[]
  readonly crashes: readonly Crash[]
}

/** Converts a transcript's records back to exchanges. */
export function historyOf({ exchanges, withheld, crashes }: Transcript): RunHistory {
  const parse = jsonParser()
  return { log: exchanges.map((record) => exchangeOf(record, parse)), withheld, crashes }
}

function exchangeOf(record: ExchangeRecord, parse: ReturnType<typeof jsonParser>): Exchange | Unanswered {
  const { method, url, status, label, requestBody, requestBytes, durationMs, failure = 'unknown' } = record
  const asked = {
    request: { method, url, headers: headersOf(record.requestHeaders) },
    ...(label && { label }),
    ...(requestBytes ? { sentBytes: requestBytes } : requestBody !== undefined && { sent: requestBody }),
    durationMs,
  }
  const original = originals.get(record)
  if (original) shareSentJson(original, asked)
  if (status === undefined) return { ...asked, failure }
  const isCut = record.isCut === true
  const bytes = new TextEncoder().encode(record.responseBody)
  const json = original?.answer ? original.answer.json : isCut ? undefined : parse(bytes)
  return {
    ...asked,
    status,
    headers: headersOf(record.responseHeaders),
    bytes,
    ...(json !== undefined && { json }),
    ...(isCut && { isCut }),
    ...(record.isSentAgain && { isSentAgain: true }),
  }
}

/** Parses the headers of a record. Omits those that redaction has made invalid. */
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
