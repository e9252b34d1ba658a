import { showHiddenInLines } from '../wire/inert.ts'
import type { ExchangeRecord } from './result.ts'

/** Headers that curl sets itself, or that belong to the run's own trace. */
const leftOut = /^(host|content-length|connection|accept-encoding|transfer-encoding|traceparent|tracestate)$/i

/** Writes a command for a POSIX shell that repeats a request. */
export function curl({ method, url, requestHeaders, requestBody }: ExchangeRecord): string {
  const headers = Object.entries(requestHeaders).filter(([name]) => !leftOut.test(name))
  const bodyIsNote = /^<[^>]*>$/.test(requestBody ?? '')
  const parts = [
    // Without --globoff, curl interprets brackets in a URL as a range.
    `curl --include --globoff --request ${quoteForShell(method)} ${quoteForShell(url)}`,
    ...headers.map(([name, value]) => `--header ${header(name, value)}`),
    // --data-raw, since the other options read a file if the text begins with @.
    requestBody && !bodyIsNote ? `--data-raw ${quoteForShell(requestBody)}` : '',
    bodyIsNote ? '--data-binary @FILE' : '',
  ]
  return showHiddenInLines(parts.filter(Boolean).join(' \\\n  '))
}

/** Returns notes on what must be filled in before the command can run; empty if it can run unchanged. */
export function curlNotes({ method, requestHeaders, requestBody }: ExchangeRecord): string[] {
  const sendsKey = Object.entries(requestHeaders).some(([name, value]) => isKey(name) && isMasked(value))
  const notes = [
    sendsKey ? 'The command reads the key from COUNTERSIGN_API_KEY.' : '',
    /^<[^>]*>$/.test(requestBody ?? '') ? `FILE stands for the body: ${requestBody?.slice(1, -1)}.` : '',
    // The only call to storage is authorized by its URL.
    method === 'PUT' && !sendsKey
      ? 'The signature was removed from the URL. Request a new upload URL and use it instead.'
      : '',
  ]
  return notes.filter(Boolean)
}

function header(name: string, value: string): string {
  if (!isKey(name) || !isMasked(value)) return quoteForShell(`${name}: ${value}`)
  // Keep a scheme in front of the key, since it is part of the experiment.
  const scheme = /^[A-Za-z]+ /.exec(value)?.[0] ?? ''
  return `"${name}: ${scheme}$COUNTERSIGN_API_KEY"`
}

function isKey(name: string): boolean {
  return /^(authorization|x-api-key|api-key)$/i.test(name)
}

/** Returns true if a value is a placeholder. Otherwise it is an invalid key that a check made up. */
function isMasked(value: string): boolean {
  return !/^([A-Za-z]+ )?[\w.~+/=-]*$/.test(value)
}

/** Quotes a text for a POSIX shell, if needed. */
export function quoteForShell(text: string): string {
  return /^[A-Za-z0-9_./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
