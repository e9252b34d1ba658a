/** Writes a session as HAR 1.2. */
import { isCredentialHeader } from './credentials.ts'
import { digestsOf, type SentBytes } from './digests.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { decodedText, redacted } from './redact.ts'
import type { SessionExchange } from './session.ts'

/** The longest body, in bytes: a binary one, and a text. */
const longestBinary = 64 * 1024
const longestText = 256 * 1024

/** Request headers that hold no secret. The values of all others are redacted. */
const openHeaders =
  /^(accept(-.*)?|content-(?!security).*|user-agent|if-(none-)?match|origin|prefer|range|host|x-requested-with)$/

export interface HarOptions {
  readonly creator: { readonly name: string; readonly version: string }
  /** Redacts the keys in a text. */
  readonly redact: (text: string) => string
  /** The keys of the session, the main one first. In `Authorization`, each has a placeholder of its own. @default only one */
  readonly keys?: readonly string[]
  /** A note for the reader of the file. @default none */
  readonly comment?: string | undefined
}

/** Returns the placeholder for a key of a session: `***key***` for the main one, `***key-2***` for the next. */
function keyPlaceholder(index: number): string {
  return index === 0 ? redacted.key : redacted.key.replace('key', `key-${index + 1}`)
}

/**
 * Returns a session as HAR 1.2. Keys become placeholders, signatures pseudonyms of the same form, and other values of
 * credentials `***`. `_name` is the name of an exchange, if it has one.
 */
export function harOf(
  exchanges: readonly SessionExchange[],
  { redact, creator, keys = [], comment }: HarOptions,
): object {
  const pseudonyms = new Pseudonyms(exchanges)
  const clean = (text: string) => redact(pseudonyms.replace(text))
  const entries = exchanges.map((exchange) => ({
    _name: exchange.name && clean(exchange.name),
    startedDateTime: new Date(exchange.at).toISOString(),
    time: Math.max(0, exchange.durationMs),
    request: requestOf(exchange, { clean, isFull: pseudonyms.isFull, keys }),
    response: responseOf(exchange, clean, pseudonyms.isFull),
    cache: {},
    timings: { send: 0, wait: Math.max(0, exchange.durationMs), receive: 0 },
  }))
  return { log: { version: '1.2', creator, entries, comment } }
}

type Clean = (text: string) => string
const unknownSize = { headersSize: -1, cookies: [], httpVersion: 'HTTP/1.1' }

interface Writing {
  readonly clean: Clean
  readonly isFull: boolean
  readonly keys: readonly string[]
}

function requestOf({ request, sent, sentBytes, sentBody }: SessionExchange, { clean, isFull, keys }: Writing): object {
  const url = cleanUrl(request.url, clean, isFull)
  const body = sent === undefined ? sentBody : new TextEncoder().encode(sent)
  const mimeType = clean(request.headers.get('content-type') ?? '')
  const shown = body && bodyOf(body, clean, isFull)
  const described = sentBytes && { text: '', comment: describeBytes(sentBytes) }
  const postData = shown ? { text: '', ...shown } : described
  return {
    ...unknownSize,
    method: request.method,
    url,
    headers: [...request.headers].map(([name, value]) => ({ name, value: requestHeader(name, value, clean, keys) })),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    ...(postData && { postData: { mimeType, ...postData } }),
    bodySize: sentBytes?.size ?? body?.byteLength ?? 0,
  }
}

/** Redacts a URL so that it stays one. */
function cleanUrl(url: string, clean: Clean, isFull: boolean): string {
  const address = new URL(url)
  address.username = ''
  address.password = ''
  if (isFull && address.search) address.search = '?***'
  const text = clean(address.href)
  return URL.canParse(text) ? text : 'http://withheld.invalid/'
}

function requestHeader(name: string, value: string, clean: Clean, keys: readonly string[]): string {
  const shown = clean(value)
  if (openHeaders.test(name)) return shown
  if (name !== 'authorization') return redacted.part
  // Keep the session's own key apart from others, and a scheme in front of it.
  const scheme = /^(basic|bearer|digest|apikey|token) +/i.exec(value)?.[0] ?? ''
  const place = keys.indexOf(value.slice(scheme.length))
  if (place >= 0) return scheme + keyPlaceholder(place)
  const isOwn = /^([\w-]+ +)?\*\*\*key\*\*\*$/.test(shown)
  return isOwn ? shown : scheme + redacted.part
}

function responseOf(
  { status, headers, bytes, size, isOversized }: SessionExchange,
  clean: Clean,
  isFull: boolean,
): object {
  return {
    ...unknownSize,
    status,
    statusText: '',
    headers: [...headers].map(([name, value]) => ({ name, value: responseHeader(name, value, clean) })),
    content: {
      size: size ?? bytes.byteLength,
      mimeType: clean(headers.get('content-type') ?? ''),
      ...(isOversized ? { comment: 'left out, since it is too large' } : bodyOf(bytes, clean, isFull)),
    },
    redirectURL: clean(headers.get('location') ?? ''),
    bodySize: size ?? bytes.byteLength,
  }
}

function responseHeader(name: string, value: string, clean: Clean): string {
  if (name === 'set-cookie') return `${clean(/^[^=;]*/.exec(value)?.[0] ?? '')}=${redacted.part}`
  return isCredentialHeader(name) ? redacted.part : clean(value)
}

/** Returns a body as text or base64, or only its description if it is too long or may hold a secret. */
function bodyOf(
  bytes: Uint8Array,
  clean: Clean,
  isFull: boolean,
): { text?: string; encoding?: 'base64'; comment?: string } {
  if (bytes.byteLength === 0) return { text: '' }
  const { text, isUtf8 } = decodedText(bytes)
  const isText = isUtf8 && !text.includes('\0')
  if (isFull || bytes.byteLength > (isText ? longestText : longestBinary)) {
    return { comment: describeBytes(digestsOf(bytes)) }
  }
  if (isText) return { text: clean(text) }
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return clean(binary) === binary
    ? { text: btoa(binary), encoding: 'base64' }
    : { comment: `${describeBytes(digestsOf(bytes))}, with a secret` }
}

/** Describes a body that is not shown. `readHar` reads it. */
function describeBytes({ size, sha256, md5, crc32 }: SentBytes): string {
  const more = `${md5 === undefined ? '' : `, MD5 ${md5}`}${crc32 === undefined ? '' : `, CRC-32 ${crc32}`}`
  return `${size} bytes, SHA-256 ${sha256}${more}`
}
