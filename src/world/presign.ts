import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalInConstantTime } from './equal.ts'

/** The terms that an upload URL is signed for, besides its own path and query. */
export interface SignedTerms {
  readonly method: string
  /** The host that the URL names, with its port unless that is the default. */
  readonly host: string
  readonly contentType: string
  readonly contentLength: number
}

/** The reason for refusing a signed URL. */
export type Refusal = 'expired' | 'signature'

const signatureParameter = 'X-Amz-Signature='

/** Returns the path and query of a signed URL that is valid for `seconds` from now. */
export function sign(path: string, terms: SignedTerms, secret: string, now: number, seconds: number): string {
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const unsigned = `${path}?X-Amz-Date=${date}&X-Amz-Expires=${seconds}`
  return `${unsigned}&${signatureParameter}${signature(canonicalAddress(unsigned), terms, secret)}`
}

/**
 * Verifies that a signed URL is the same address as the signed one, matches the terms and has not expired. Returns the reason for
 * refusing it, or undefined.
 */
export function verifySignedUrl(
  pathAndQuery: string,
  terms: SignedTerms,
  secret: string,
  now: number,
): Refusal | undefined {
  const [path = '', query = ''] = canonicalAddress(pathAndQuery).split('?')
  const parts = query.split('&')
  const isSignature = (part: string) => part.startsWith(signatureParameter)
  const unsigned = `${path}?${parts.filter((part) => !isSignature(part)).join('&')}`
  const given = parts.filter(isSignature).join('&')
  if (!equalInConstantTime(given, signatureParameter + signature(unsigned, terms, secret))) return 'signature'
  return now < expiryOf(unsigned) ? undefined : 'expired'
}

/**
 * Returns the one spelling of a path and query that all equivalent ones share, as Signature Version 4 of S3 has it: decoded once and
 * encoded again, with the query in order.
 */
export function canonicalAddress(pathAndQuery: string): string {
  const [path = '', query = ''] = pathAndQuery.split(/\?(.*)/s)
  const parameters = query.split('&').flatMap((part) => {
    const [name = '', value = ''] = part.split(/=(.*)/s)
    return part === '' ? [] : [`${encodedAgain(name)}=${encodedAgain(value)}`]
  })
  return `${encodedAgain(path, '/')}?${parameters.toSorted().join('&')}`
}

/** Percent-encodes a storage key, except for slashes, so that no URL parser changes its spelling (RFC 3986 section 2.3). */
export function encodeKey(key: string): string {
  return encodedAgain(encodeURIComponent(key), '/')
}

/** Percent-encodes all but unreserved characters and `kept`. Node passes on bytes that were not encoded, one character each. */
function encodedAgain(text: string, kept?: string): string {
  return text.replaceAll(/%[\da-f]{2}|[^\w.~-]/gi, (code) => {
    const byte = code.length > 1 ? Number.parseInt(code.slice(1), 16) : code.charCodeAt(0)
    const char = String.fromCharCode(byte)
    if (char === kept || /[\w.~-]/.test(char)) return char
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
}

/** Returns the expiry of a URL signed here, in milliseconds since 1970. */
function expiryOf(unsigned: string): number {
  const query = new URLSearchParams(unsigned.slice(unsigned.indexOf('?')))
  const basic = query.get('X-Amz-Date') ?? ''
  const date = basic.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(date) + Number(query.get('X-Amz-Expires')) * 1000
}

function signature(unsigned: string, terms: SignedTerms, secret: string): string {
  const { method, host, contentType, contentLength } = terms
  const text = [method, unsigned, host, contentType, contentLength].join('\n')
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)))
}
