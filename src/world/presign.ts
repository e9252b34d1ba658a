import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalInConstantTime } from './equal.ts'

/** The terms that an upload URL is signed for, besides its own path and query. */
export interface SignedTerms {
  readonly method: string
  readonly contentType: string
  readonly contentLength: number
}

/** The reason for refusing a signed URL. */
export type Refusal = 'expired' | 'signature'

const signatureParameter = '&X-Amz-Signature='

/** Returns the path and query of a signed URL that is valid for `seconds` from now. */
export function sign(path: string, terms: SignedTerms, secret: string, now: number, seconds: number): string {
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const unsigned = `${path}?X-Amz-Date=${date}&X-Amz-Expires=${seconds}`
  return `${unsigned}${signatureParameter}${signature(unsigned, terms, secret)}`
}

/**
 * Verifies that a signed URL is unchanged, matches the terms and has not expired. Returns the reason for refusing it, or
 * undefined. The signature covers the text of the URL, so an equivalent spelling is refused as well.
 */
export function verifySignedUrl(
  pathAndQuery: string,
  terms: SignedTerms,
  secret: string,
  now: number,
): Refusal | undefined {
  const at = pathAndQuery.lastIndexOf(signatureParameter)
  const unsigned = pathAndQuery.slice(0, Math.max(at, 0))
  const given = pathAndQuery.slice(at + signatureParameter.length)
  if (!equalInConstantTime(given, signature(unsigned, terms, secret))) return 'signature'
  return now < expiryOf(unsigned) ? undefined : 'expired'
}

/** Percent-encodes a storage key, except for slashes, so that no URL parser changes its spelling (RFC 3986 section 2.3). */
export function encodeKey(key: string): string {
  return key
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')
}

/** Returns the expiry of a URL signed here, in milliseconds since 1970. */
function expiryOf(unsigned: string): number {
  const query = new URLSearchParams(unsigned.slice(unsigned.indexOf('?')))
  const [, year, month, day, hour, minute, second] = (
    query.get('X-Amz-Date')?.match(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/) ?? []
  ).map(Number)
  const date = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  return date + Number(query.get('X-Amz-Expires')) * 1000
}

function signature(unsigned: string, { method, contentType, contentLength }: SignedTerms, secret: string): string {
  const text = [method, unsigned, contentType, contentLength].join('\n')
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)))
}
