import type { Exchange } from './exchange.ts'
import type { Redactor } from './redact.ts'
import type { ExchangeRecord } from './result.ts'

/** How much of a body a report shows, in characters. */
const most = 2000

/** An exchange as a report shows it: masked, as text, and not too long. */
export function recordOf(exchange: Exchange, redactor: Redactor): ExchangeRecord {
  const { request, sent, status, headers, bytes, durationMs } = exchange
  const url = new URL(request.url)
  if (url.search) url.search = '?***'
  return redactor.deep({
    method: request.method,
    url: url.href,
    requestHeaders: Object.fromEntries([...request.headers].filter(([name]) => name !== 'user-agent')),
    ...(sent && { requestBody: textOf(sent) }),
    status,
    responseHeaders: Object.fromEntries(headers),
    responseBody: textOf(bytes),
    durationMs: Math.round(durationMs * 10) / 10,
  })
}

function textOf(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `<${bytes.byteLength} bytes>`
  }
  return text.length > most ? `${text.slice(0, most)}… <${bytes.byteLength} bytes in all>` : text
}
