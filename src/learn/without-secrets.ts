import type { Exchange } from '../../conformance/wire/exchange.ts'
import { parseJson } from '../../conformance/wire/exchange.ts'
import type { Redactor } from '../../conformance/wire/redact.ts'
import { isCredentialHeader } from '../session/credentials.ts'

/** Returns an exchange whose request and answer show no key, in any spelling, and no headers that are credentials but the key's own. */
export function withoutSecrets<Shown extends Exchange>(exchange: Shown, keys: Redactor): Shown {
  const { bytes, headers, request, sent } = exchange
  const clean = keys.bytes(bytes)
  const json = clean === bytes ? exchange.json : parseJson(clean)
  return {
    ...exchange,
    request: { method: request.method, url: request.url, headers: mask(request.headers, keys, 'authorization') },
    ...(sent !== undefined && { sent: keys.text(sent) }),
    headers: mask(headers, keys),
    bytes: clean,
    ...(json !== undefined && { json }),
  }
}

/** Returns the names of the headers of answers that are left out, since they are credentials. */
export function credentialHeadersOf(exchanges: readonly Exchange[]): string[] {
  const names = exchanges.flatMap(({ headers }) => [...headers.keys()])
  return [...new Set(names.filter(isCredentialHeader))].toSorted()
}

function mask(headers: Headers, keys: Redactor, kept?: string): Headers {
  const shown = [...headers].filter(([name]) => name === kept || !isCredentialHeader(name))
  return new Headers(shown.map(([name, value]): [string, string] => [name, keys.text(value)]))
}
