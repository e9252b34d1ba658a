import type { Exchange } from './exchange.ts'
import type { Redactor } from './redact.ts'
import type { ExchangeRecord } from './result.ts'
import type { Unanswered } from './transport.ts'

/** How much of a body or a header a report shows, in characters. */
const most = 2000
/** How many headers a report shows of a request or an answer. */
const mostHeaders = 100

/** A request with its answer, if any, as a report shows them: masked, as text, and not too long. */
export function recordOf(exchange: Exchange | Unanswered, redactor: Redactor): ExchangeRecord {
  const { request, sent, durationMs } = exchange
  const url = new URL(request.url)
  if (url.search) url.search = '?***'
  return redactor.deep({
    method: request.method,
    url: url.href,
    requestHeaders: shownHeaders(
      [...request.headers].filter(([name]) => name !== 'user-agent'),
      redactor,
    ),
    ...(sent && { requestBody: textOf(sent, redactor) }),
    ...answerOf(exchange, redactor),
    durationMs: Math.round(durationMs * 10) / 10,
  })
}

function answerOf(exchange: Exchange | Unanswered, redactor: Redactor) {
  if ('failure' in exchange) return { responseHeaders: {}, responseBody: '', failure: exchange.failure }
  const { status, headers, bytes } = exchange
  return { status, responseHeaders: shownHeaders([...headers], redactor), responseBody: textOf(bytes, redactor) }
}

function shownHeaders(headers: readonly (readonly [string, string])[], redactor: Redactor): Record<string, string> {
  return Object.fromEntries(
    headers.slice(0, mostHeaders).map(([name, value]) => [name.slice(0, most), redactor.text(value, most)]),
  )
}

function textOf(bytes: Uint8Array, redactor: Redactor): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return `<${bytes.byteLength} bytes>`
  }
  // Cut while it is masked: before, the beginning of a secret could not be recognised; after, all of a long body would be searched.
  const shown = redactor.text(text, most)
  return text.length > most ? `${shown}… <${bytes.byteLength} bytes in all>` : shown
}
