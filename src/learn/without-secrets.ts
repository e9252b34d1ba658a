import type { Exchange } from '../../conformance/wire/exchange.ts'
import { parseJson } from '../../conformance/wire/exchange.ts'
import type { Redactor } from '../../conformance/wire/redact.ts'

/** Returns an exchange whose request and answer show no key, in any spelling. */
export function withoutSecrets<Shown extends Exchange>(exchange: Shown, keys: Redactor): Shown {
  const { bytes, headers, request, sent } = exchange
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const masked = keys.text(text)
  const clean = masked === text ? bytes : new TextEncoder().encode(masked)
  const json = masked === text ? exchange.json : parseJson(clean)
  return {
    ...exchange,
    request: { method: request.method, url: request.url, headers: mask(request.headers, keys) },
    ...(sent !== undefined && { sent: keys.text(sent) }),
    headers: mask(headers, keys),
    bytes: clean,
    ...(json !== undefined && { json }),
  }
}

function mask(headers: Headers, keys: Redactor): Headers {
  const masked = new Headers()
  for (const [name, value] of headers) if (!/^(cookie|set-cookie)$/.test(name)) masked.set(name, keys.text(value))
  return masked
}
