import { truncate } from '../wire/inert.ts'
import { curl, curlNotes } from './curl.ts'
import { type Html, html, lines } from './html-text.ts'
import type { ExchangeRecord, RunResult } from './result.ts'
import { duration } from './tally.ts'

/** Renders all requests of the run, in the order in which they were sent. */
export function exchangesPart({ exchanges }: RunResult): Html {
  return html`<section class="log">
<h2 id="requests">Every request</h2>
<p class="muted">In the order in which they were sent, with their numbers in report.json. Secrets are redacted, and long bodies are truncated.</p>
${exchanges.length > 0 ? exchanges.map((exchange, place) => exchangeDetails(exchange, place, true)) : html`<p>No request was recorded.</p>`}
</section>
`
}

/** Renders an exchange, collapsed. In the log, it has an anchor. */
export function exchangeDetails(exchange: ExchangeRecord, place: number, inLog = false): Html {
  const { requestHeaders, requestBody, status, responseHeaders, responseBody, failure } = exchange
  return html`<details class="exchange"${inLog ? html` id="request-${place}"` : undefined}>
<summary>${title(exchange, place)}</summary>
<div>
<p class="label">Request</p>
<pre>${lines([`${exchange.method} ${exchange.url}`, ...fields(requestHeaders)].join('\n'))}${body(requestBody)}</pre>
<p class="label">Answer</p>
<pre>${lines(status === undefined ? `No answer: ${failure ?? 'for an unknown reason'}` : [`${status}`, ...fields(responseHeaders)].join('\n'))}${body(responseBody)}</pre>
<p class="label">Repeat it</p>
<pre>${lines(curl(exchange))}</pre>
${curlNotes(exchange).map((note) => html`<p class="muted">${note}</p>`)}
</div>
</details>
`
}

/** Renders a link to an exchange in the log. */
export function exchangeLink(exchange: ExchangeRecord, place: number): Html {
  return html`<a class="wrap" href="#request-${place}">${title(exchange, place)}</a>`
}

function title({ method, url, status, durationMs }: ExchangeRecord, place: number): Html {
  return html`<span class="muted">#${place}</span> <code>${method} ${pathOf(url)}</code> → <strong>${status ?? 'no answer'}</strong> <span class="muted">${duration(durationMs)}</span>`
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

function fields(headers: ExchangeRecord['requestHeaders']): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

/** The longest part of a body that the page shows, in characters. report.json has more. */
const shownBody = 2000

function body(text = ''): Html | undefined {
  if (!text) return undefined
  const rest = text.length > shownBody ? ` <${text.length} characters in all>` : ''
  return html`${lines('\n\n')}${lines(truncate(text, shownBody) + rest)}`
}
