import { isObject } from '../../src/contract/json.ts'
import { digestsOf } from '../../src/session/digests.ts'
import { membersOf } from '../reading/locate.ts'
import { parseJson } from '../wire/exchange.ts'
import { redacted } from '../wire/redact.ts'
import { bounded } from './bounds.ts'
import { asksForList, baseUrlOf, callIn, type TimedExchange } from './calls.ts'

/** A file that is no session of the API. The message says what is wrong and what to do. */
export class HarError extends Error {}

/** A session that was recorded elsewhere. */
export interface HarSession {
  /** In the order in which they were sent. `name` is that of the recording, or the call with a number. */
  readonly exchanges: readonly (TimedExchange & { readonly name: string })[]
  /** The base address of the service, without a trailing slash. */
  readonly base: string
  /** The value of the `Authorization` headers of most calls, even if it is only a placeholder. */
  readonly apiKey: string
  readonly leftOut: {
    /** Requests to other origins. */
    readonly otherOrigins: number
    /** Requests to the service's origin that the contract does not have. */
    readonly otherCalls: number
    /** Entries without an answer, without its body if that is needed, or in no known form. */
    readonly unreadable: number
  }
}

export interface ReadOptions {
  /** The service's base address. @default the only one with documented calls */
  readonly url?: string
  /** True to keep lists of workflows, which the contract does not have. @default false */
  readonly keepsLists?: boolean
  /** False to keep calls whose answer has no body in the file. @default true */
  readonly needsBodies?: boolean
}

/**
 * Returns the calls of one service in the JSON of a HAR file. `url` is the service's base address; without it, it is the only one with
 * documented calls. Throws a `HarError` for a file without such calls.
 */
export function readHar(har: unknown, { url, keepsLists = false, needsBodies = true }: ReadOptions = {}): HarSession {
  const { entries, isOurs } = entriesOf(har)
  const all = entries.map(askedIn)
  const requests = all.filter((asked) => asked !== undefined).filter(({ method }) => method !== 'OPTIONS')
  const leftOut = { otherOrigins: 0, otherCalls: 0, unreadable: all.filter((asked) => !asked).length }
  const base = baseOf(requests, url)
  const found = new Map<AskedEntry, TakenEntry>()
  const take = (asked: AskedEntry) => {
    const exchange = exchangeOf(asked, needsBodies)
    if (exchange) found.set(asked, exchange)
    else leftOut.unreadable += 1
  }
  const isCall = (asked: AskedEntry) =>
    baseIn(asked) === base ||
    (isOurs && asked.url.startsWith(`${base}/api/v1/`)) ||
    (keepsLists && asksForList(asked) && baseUrlOf(asked.url) === base)
  for (const asked of requests) if (isCall(asked)) take(asked)
  const uploadUrls = new Set([...found.values()].flatMap(({ json }) => uploadUrlsIn(json)))
  const uploadOrigins = new Set([...uploadUrls].map((one) => new URL(one).origin))
  for (const asked of requests.filter((one) => !isCall(one))) {
    const { origin } = new URL(asked.url)
    // Our own sessions also have a PUT to a changed address, which may differ in its path.
    const isUpload = uploadUrls.has(withoutQuery(asked.url)) || (isOurs && uploadOrigins.has(origin))
    if (asked.method === 'PUT' && isUpload) take(asked)
    else leftOut[origin === new URL(base).origin ? 'otherCalls' : 'otherOrigins'] += 1
  }
  if (found.size === 0) {
    throw new HarError(
      `None of the answers of ${base} has its body in the file. Record the session with bodies: in a browser, with the developer tools open; in Playwright, with content: 'embed'.`,
    )
  }
  // Calls of the same millisecond stay in the order of the file.
  const sorted = requests.flatMap((asked) => found.get(asked) ?? []).toSorted((a, b) => a.at - b.at)
  const { apiKey, exchanges } = withKey(sorted)
  return { exchanges: named(exchanges, uploadUrls), base, apiKey, leftOut }
}

type TakenEntry = TimedExchange & { readonly name?: string }

/** A part of a file, before it is checked. */
type Loose = Readonly<Record<string, unknown>>

interface AskedEntry {
  readonly entry: Loose
  readonly method: string
  readonly url: string
}

const objectAt = (value: Loose, name: string): Loose => (isObject(value[name]) ? value[name] : {})
const textAt = (of: Loose, name: string) => (typeof of[name] === 'string' ? of[name] : undefined)
const numberAt = (of: Loose, name: string) => (Number.isFinite(of[name]) ? Number(of[name]) : undefined)

function entriesOf(har: unknown): { entries: readonly unknown[]; isOurs: boolean } {
  const log = isObject(har) ? objectAt(har, 'log') : {}
  if (!Array.isArray(log.entries)) {
    throw new HarError('The file is not HAR: it has no log.entries. Save the session as HAR 1.2.')
  }
  return { entries: log.entries, isOurs: textAt(objectAt(log, 'creator'), 'name') === 'countersign' }
}

/** Returns the request of an entry; undefined if it has none that can be read. */
function askedIn(entry: unknown): AskedEntry | undefined {
  if (!isObject(entry)) return undefined
  const request = objectAt(entry, 'request')
  const [method, address] = [textAt(request, 'method'), textAt(request, 'url')]
  if (method === undefined || address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return /^https?:$/.test(url.protocol) ? { entry, method: method.toUpperCase(), url: url.href } : undefined
}

/** Returns the base address of the service that a documented call goes to. */
function baseIn(asked: AskedEntry): string | undefined {
  return callIn(asked, () => false).call === undefined ? undefined : baseUrlOf(asked.url)
}

function baseOf(requests: readonly AskedEntry[], url: string | undefined): string {
  const bases = [...new Set(requests.map(baseIn).filter((base) => base !== undefined))]
  const list = bases.slice(0, 10).join(', ')
  if (bases.length === 0) {
    throw new HarError(
      'The file has no call of this API, such as POST /api/v1/workflows. Record a session that creates, executes and reads a workflow.',
    )
  }
  if (url !== undefined) {
    const wanted = (new URL(url).href.split(/[?#]/)[0] ?? '').replace(/(?<!\/)\/+$/, '')
    if (bases.includes(wanted)) return wanted
    throw new HarError(`The file has no call of this API to ${wanted}. It has calls to: ${list}. Choose one of these.`)
  }
  if (bases.length > 1) {
    throw new HarError(`The file has calls of this API to ${bases.length} addresses: ${list}. Choose one of these.`)
  }
  return bases[0] ?? ''
}

function uploadUrlsIn(json: unknown): string[] {
  return membersOf(json)
    .filter(({ name, value }) => name === 'upload_url' && typeof value === 'string' && URL.canParse(value))
    .map(({ value }) => withoutQuery(new URL(String(value)).href))
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url
}

/** Returns the exchange of an entry; undefined if it has no answer, or one without its body. */
function exchangeOf({ entry, method, url }: AskedEntry, needsBody: boolean): TakenEntry | undefined {
  const [request, response] = [objectAt(entry, 'request'), objectAt(entry, 'response')]
  const status = numberAt(response, 'status')
  const at = Date.parse(textAt(entry, 'startedDateTime') ?? '')
  if (status === undefined || status < 200 || status > 599 || Number.isNaN(at)) return undefined
  const [asked, headers] = [headersOf(request.headers), headersOf(response.headers)]
  const bytes = answerBytes(response, headers, method) ?? (needsBody ? undefined : new Uint8Array())
  if (!bytes) return undefined
  const json = parseJson(bytes)
  const name = textAt(entry, '_name')
  return bounded({
    request: { method, url, headers: asked },
    ...sentIn(request, method, asked),
    status,
    headers,
    bytes,
    ...(json !== undefined && { json }),
    durationMs: Math.max(0, numberAt(entry, 'time') ?? 0),
    at,
    ...(name !== undefined && { name }),
  })
}

/** Reads headers. Leaves out pseudo-headers (RFC 9113 section 8.3) and those that are not valid. */
function headersOf(list: unknown): Headers {
  const headers = new Headers()
  for (const header of Array.isArray(list) ? list : []) {
    if (!isObject(header)) continue
    const [name = '', value = ''] = [textAt(header, 'name'), textAt(header, 'value')]
    if (name === '' || name.startsWith(':')) continue
    try {
      headers.append(name, value)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  return headers
}

/** Returns the body of an answer; undefined if the file does not have it. */
function answerBytes(response: Loose, headers: Headers, method: string): Uint8Array | undefined {
  const content = objectAt(response, 'content')
  const text = textAt(content, 'text')
  // Our own files and Playwright's have a comment or a file in the place of some bodies.
  if (text) return bytesOf(text, textAt(content, 'encoding'))
  if (text === undefined && (content.comment !== undefined || content._file !== undefined)) return undefined
  const status = numberAt(response, 'status') ?? 0
  const isEmpty = status === 204 || status === 304 || headers.get('content-length') === '0'
  const size = numberAt(content, 'size') ?? 0
  return isEmpty || size === 0 || (size < 0 && method === 'PUT') ? new Uint8Array() : undefined
}

function bytesOf(text: string, encoding: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (encoding !== 'base64') return new TextEncoder().encode(text)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** Returns the body of a request: as text, or for a PUT, its size and digests as far as the file shows them. */
function sentIn(
  request: Loose,
  method: string,
  headers: Headers,
): Pick<TimedExchange, 'sent' | 'sentBytes' | 'sentBody'> {
  const postData = objectAt(request, 'postData')
  const text = textAt(postData, 'text')
  const bytes = text ? bytesOf(text, textAt(postData, 'encoding')) : undefined
  if (method !== 'PUT') return bytes === undefined ? {} : { sent: new TextDecoder().decode(bytes) }
  const described = /^(\d+) bytes, SHA-256 ([\da-f]{64})(?:, MD5 ([\da-f]{32}))?(?:, CRC-32 ([\da-f]{8}))?/.exec(
    textAt(postData, 'comment') ?? '',
  )
  if (described) {
    const [, size, sha256 = '', md5, crc32] = described
    return { sentBytes: { size: Number(size), sha256, ...(md5 && { md5 }), ...(crc32 && { crc32 }) } }
  }
  const length = headers.get('content-length')
  const size = length !== null && /^\d+$/.test(length) ? Number(length) : numberAt(request, 'bodySize')
  // Browsers write binary bodies as text, which changes them. Only a text of the announced length is what was sent.
  const isWhole = bytes && !text?.includes('\uFFFD') && (size === undefined || size < 0 || size === bytes.byteLength)
  if (isWhole) return { sentBytes: digestsOf(bytes), sentBody: bytes }
  return size === undefined || size < 0 ? {} : { sentBytes: { size, sha256: '' } }
}

/**
 * Finds the key. Browsers leave out `Authorization` if they save a file without sensitive data; then the calls that were not
 * refused as unauthorized get a placeholder.
 */
function withKey(exchanges: readonly TakenEntry[]): { apiKey: string; exchanges: readonly TakenEntry[] } {
  const keys = exchanges.flatMap(({ request }) => request.headers.get('authorization') || [])
  const countOf = (key: string) => keys.filter((one) => one === key).length
  const [most] = [...new Set(keys)].toSorted((a, b) => countOf(b) - countOf(a))
  if (most !== undefined) return { apiKey: most, exchanges }
  const apiKey = redacted.key
  const filled = exchanges.map((exchange) => {
    const { request, status } = exchange
    if (status === 401 || status === 403 || request.method === 'PUT') return exchange
    const headers = new Headers(request.headers)
    headers.set('authorization', apiKey)
    return { ...exchange, request: { ...request, headers } }
  })
  return { apiKey, exchanges: filled }
}

/** Names the exchanges that have no name by their call and a number. */
function named(exchanges: readonly TakenEntry[], uploadUrls: ReadonlySet<string>): HarSession['exchanges'] {
  const counts = new Map<string, number>()
  return exchanges.map((exchange) => {
    const call = callIn(exchange.request, (url) => uploadUrls.has(withoutQuery(url))).call ?? 'other call'
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    return { name: `${call} ${count}`, ...exchange }
  })
}
