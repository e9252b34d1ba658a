import { type Html, html, lines, prose } from '../../conformance/report/html-text.ts'
import { createMock } from '../../src/index.ts'
import { type Node, operationsOf } from '../contract.ts'
import type { ErrorCall } from './error-call.ts'
import { errorCalls } from './error-calls.ts'
import { page } from './page.ts'
import { provoke } from './provoke.ts'
import { fieldFunction, scriptOf } from './shell.ts'

const environment = { COUNTERSIGN_URL: 'http://127.0.0.1:4010', COUNTERSIGN_API_KEY: 'test_demo' }

/** When the mock of the page lives, so that the page is the same however often it is built. */
const startTime = Date.UTC(2026, 2, 1, 9)

/** The page of errors: for each operation and status, the commands that provoke it, and the answer that they were given. */
export async function errorsPage(service: Node, admin: Node): Promise<string> {
  const entries = await Promise.all(
    errorCalls(service, admin).map(async (call) => ({ ...call, answer: await answerTo(call) })),
  )
  const groups = [
    ...operationsOf(service).map((operation) => ({ ...operation, part: '' })),
    { operationId: 'any', method: '', path: 'Every other path and method', part: '' },
    ...operationsOf(admin).map((operation) => ({ ...operation, part: 'Admin API: ' })),
  ].map((group) => ({ ...group, entries: entries.filter(({ operationId }) => operationId === group.operationId) }))
  const introduction = html`<p>Every error that the contract lists for an operation, with the commands that provoke it on the mock and
the answer that they are given. The answers were given while this page was built, and the tests run each command as it stands here.</p>
<p>To run them, start <code>npx countersign mock</code>, and say once:</p>
<pre>${lines(`export COUNTERSIGN_URL=${environment.COUNTERSIGN_URL} COUNTERSIGN_API_KEY=${environment.COUNTERSIGN_API_KEY}\n${fieldFunction}`)}</pre>
<ul class="contents">${groups.map(({ operationId, entries }) => html`<li><a href="#${operationId}">${operationId === 'any' ? 'every other path' : operationId}</a> <span class="muted">${[...new Set(entries.map(({ status }) => status))].join(' ')}</span></li>\n`)}</ul>`
  const body = groups.map(
    ({
      operationId,
      method,
      path,
      part,
      entries,
    }) => html`<h2 id="${operationId}">${part}${operationId === 'any' ? path : operationId}</h2>
${operationId === 'any' ? undefined : html`<p><code>${method} ${path}</code></p>`}
${entries.map(errorDetails)}`,
  )
  return page('errors.html', introduction, html`${body}`)
}

function errorDetails({ status, code, wrong, calls, answer }: ErrorCall & { answer: string }): Html {
  return html`<details class="check bad">
<summary><span class="badge">${status}</span> <span class="fact">${prose(wrong)}</span> <code class="muted">${code}</code></summary>
<div class="body">
<p class="label">Commands</p>
<pre>${lines(scriptOf(calls))}</pre>
<p class="label">Answer</p>
<pre>${lines(answer)}</pre>
</div>
</details>
`
}

/** An answer as a reader of HTTP writes it; JSON over several lines. */
export async function answerTo(call: ErrorCall): Promise<string> {
  const { fetch } = createMock({ startTime, clockSpeed: 0, approvers: 'manual', admin: {}, cors: false })
  const { response } = await provoke(call, fetch, environment)
  if (response.status !== call.status) {
    throw new Error(`Failed to provoke ${call.status} of ${call.operationId}: because it answered ${response.status}.`)
  }
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  // Storage draws a new one for each answer.
  const text = (await response.text()).replace(/<RequestId>[^<]*/, '<RequestId>…')
  const body = response.headers.get('Content-Type')?.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
}
