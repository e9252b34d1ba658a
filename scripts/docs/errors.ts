import { type Html, html, lines, prose } from '../../conformance/report/html-text.ts'
import { createMock } from '../../src/index.ts'
import { marks } from '../../src/node/docs-marks.ts'
import { type Node, operationsOf } from '../contract.ts'
import { errorCalls } from './error-calls.ts'
import { page } from './page.ts'
import { provoke } from './provoke.ts'
import { type ErrorCall, fieldFunction, scriptOf } from './shell.ts'

const environment = { COUNTERSIGN_URL: marks.server, COUNTERSIGN_API_KEY: 'test_demo' }

/** The mock's clock, fixed so that every build produces the same page. */
const startTime = Date.UTC(2026, 2, 1, 9)

/** Renders the page of errors: for each operation and status, the commands that cause the error, and the answer. */
export async function errorsPage(service: Node, admin: Node): Promise<string> {
  const calls = errorCalls(service, admin)
  const ids = errorIds(calls)
  const entries = await Promise.all(
    calls.map(async (call, place) => ({ ...call, id: ids[place] ?? '', answer: await answerTo(call) })),
  )
  const groups = [
    ...operationsOf(service).map((operation) => ({ ...operation, part: '' })),
    { operationId: 'any', method: '', path: 'Every other path and method', part: '' },
    ...operationsOf(admin).map((operation) => ({ ...operation, part: 'Admin API: ' })),
  ].map((group) => ({ ...group, entries: entries.filter(({ operationId }) => operationId === group.operationId) }))
  const introduction = html`<p>Every error that the contract lists for an operation, with the commands that cause it on the mock, and the
mock's answer. The answers were recorded when this page was built. The tests run each command exactly as it is shown.</p>
<p>To run a command, start <code>npx countersign mock</code>, and set these variables once:</p>
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

/** Names each call after its operation, status and code; the second of the same kind gets a number. */
export function errorIds(calls: readonly ErrorCall[]): string[] {
  const names = calls.map(({ operationId, status, code }) => `${operationId}-${status}-${code}`)
  return names.map((name, place) => {
    const before = names.slice(0, place).filter((other) => other === name).length
    return before === 0 ? name : `${name}-${before + 1}`
  })
}

function errorDetails({
  id,
  status,
  code,
  wrong,
  calls,
  needsFullMemory,
  answer,
}: ErrorCall & { id: string; answer: string }): Html {
  return html`<details class="check bad">
<summary><span class="badge">${status}</span> <span class="fact">${prose(wrong)}</span> <code class="muted">${code}</code></summary>
<div class="body" id="${id}">
<p class="label">Commands${needsFullMemory ? html`, with <code>npx countersign mock --max-memory 1</code>` : undefined}</p>
<pre>${lines(scriptOf(calls))}</pre>
<p class="label">Answer</p>
<pre>${lines(answer)}</pre>
</div>
</details>
`
}

/** Runs an error call on a new mock, and formats the answer as an HTTP message with indented JSON. */
export async function answerTo(call: ErrorCall): Promise<string> {
  const { fetch } = createMock({
    ...{ startTime, clockSpeed: 0, approvers: 'manual', admin: {}, cors: false },
    ...(call.needsFullMemory && { maxMemoryBytes: 1 }),
  })
  const { response } = await provoke(call, fetch, environment)
  if (response.status !== call.status) {
    throw new Error(
      `The call for ${call.status} ${call.code} of ${call.operationId} was answered with ${response.status}. Fix its body in scripts/docs/error-calls-specific.ts, or make new fields of its request optional.`,
    )
  }
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  // The request id is random.
  const text = (await response.text()).replace(/<RequestId>[^<]*/, '<RequestId>…')
  const body = response.headers.get('Content-Type')?.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
}
