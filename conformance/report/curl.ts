import { inertLines } from '../wire/inert.ts'
import type { ExchangeRecord } from './result.ts'

/** Headers that curl works out itself; copies of them would contradict it. */
const curlsOwn = /^(host|content-length|connection|accept-encoding|transfer-encoding)$/i

/** A command for a POSIX shell that sends a request again. */
export function curl({ method, url, requestHeaders, requestBody }: ExchangeRecord): string {
  const headers = Object.entries(requestHeaders).filter(([name]) => !curlsOwn.test(name))
  const bodyIsNote = /^<[^>]*>$/.test(requestBody ?? '')
  const parts = [
    // Without globoff, curl takes brackets in an address for a range of addresses.
    `curl --include --globoff --request ${quoted(method)} ${quoted(url)}`,
    ...headers.map(([name, value]) => `--header ${header(name, value)}`),
    // data-raw, since the others read a file where the text begins with an @.
    requestBody && !bodyIsNote ? `--data-raw ${quoted(requestBody)}` : '',
    bodyIsNote ? '--data-binary @FILE' : '',
  ]
  return inertLines(parts.filter(Boolean).join(' \\\n  '))
}

/** What the command of `curl` leaves to its user; nothing where it can be run as it is. */
export function curlNotes({ method, requestHeaders, requestBody }: ExchangeRecord): string[] {
  const sendsKey = Object.entries(requestHeaders).some(([name, value]) => isKey(name) && isMasked(value))
  const notes = [
    sendsKey ? 'The key is taken from COUNTERSIGN_API_KEY.' : '',
    /^<[^>]*>$/.test(requestBody ?? '') ? `FILE stands for the body: ${requestBody?.slice(1, -1)}.` : '',
    // The one call that goes to storage carries its leave in the address.
    method === 'PUT' && !sendsKey ? 'The address lacks its signature: request a new upload URL and put it in.' : '',
  ]
  return notes.filter(Boolean)
}

function header(name: string, value: string): string {
  if (!isKey(name) || !isMasked(value)) return quoted(`${name}: ${value}`)
  // What was before the key, such as a scheme, is part of what was tried.
  const scheme = /^[A-Za-z]+ /.exec(value)?.[0] ?? ''
  return `"${name}: ${scheme}$COUNTERSIGN_API_KEY"`
}

function isKey(name: string): boolean {
  return /^(authorization|x-api-key|api-key)$/i.test(name)
}

/** Whether something stands in a key's place. What could be a key is a wrong one that a check made up. */
function isMasked(value: string): boolean {
  return !/^([A-Za-z]+ )?[\w.~+/=-]*$/.test(value)
}

/** A word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
