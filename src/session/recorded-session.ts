/** Writes the recorded calls of a mock as a session. */
import { joinParts } from '../contract/bytes.ts'
import type { HeaderPairs } from './credentials.ts'
import { harOf } from './har.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { decodedText, SecretRedactor } from './redact.ts'
import type { RecordedCall, SessionExchange, SessionFile } from './session.ts'

/** Returns recorded calls as HAR 1.2, without keys and signatures. `leftOut` is the number of calls that were not recorded. */
export function sessionFileOf(
  recorded: readonly RecordedCall[],
  creator: { readonly name: string; readonly version: string },
  leftOut: number,
): SessionFile {
  const sorted = recorded.toSorted((a, b) => a.at - b.at)
  const calls = sorted.map(exchangeOf)
  const accepted = new Set(sorted.flatMap((call) => (call.tenantId === undefined ? [] : keysIn(call.headers))))
  const redactor = new SecretRedactor([])
  for (const { request, headers } of calls) {
    redactor.addRequest(request.headers)
    redactor.addIssued(headers)
  }
  for (const signature of new Pseudonyms(calls).signatures) redactor.addSignature(signature)
  return harOf(calls, {
    redact: (text) => redactor.text(text),
    keys: [...accepted],
    creator,
    comment: leftOut > 0 ? `${leftOut} later calls were left out, since the recording was full.` : undefined,
  }) as SessionFile
}

/** Returns the key in the headers of a call, without a scheme in front of it. */
function keysIn(headers: HeaderPairs): string[] {
  const value = headersOf(headers).get('authorization')
  return value ? [value.slice(value.lastIndexOf(' ') + 1)] : []
}

function exchangeOf({ at, durationMs, method, url, status, ...call }: RecordedCall): SessionExchange {
  const { bytes: body, size: answered } = call.answer
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const size = Math.max(answered, bytes.byteLength)
  const isOversized = size > bytes.byteLength
  return {
    ...{ at, durationMs, status, size, request: { method, url, headers: headersOf(call.headers) } },
    ...sentIn(call),
    headers: headersOf(call.answerHeaders),
    bytes: isOversized ? new Uint8Array() : bytes,
    ...(isOversized && { isOversized }),
  }
}

function sentIn({ parts, size, sha256 }: Pick<RecordedCall, 'parts' | 'size' | 'sha256'>) {
  if (size === 0) return {}
  const sentBytes = { size, sha256 }
  const bytes = joinParts(parts)
  if (bytes.byteLength < size) return { sentBytes }
  const { text, isUtf8 } = decodedText(bytes)
  return isUtf8 ? { sent: text } : { sentBody: bytes, sentBytes }
}

function headersOf(pairs: HeaderPairs): Headers {
  return new Headers([...pairs].map(([name, value]): [string, string] => [name, value]))
}
