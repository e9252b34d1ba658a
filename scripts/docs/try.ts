import { Html, html, lines, prose } from '../../conformance/report/html-text.ts'
import { marks } from '../../src/node/docs-marks.ts'
import { type ContractOperation, type Node, operationsOf, parametersOf } from '../contract.ts'
import { page } from './page.ts'
import { exampleBody, exampleUpload, isStorage, takesFile } from './samples.ts'

/** Renders the page from which each operation is sent. Its forms begin with the examples of the contracts. */
export function tryPage(service: Node, admin: Node, script: string): string {
  const ofService = operationsOf(service)
  const ofAdmin = operationsOf(admin)
  const contents = (operations: readonly ContractOperation[]) =>
    html`<ul class="contents">${operations.map(({ operationId, definition }) => html`<li><a href="#${operationId}">${definition.summary}</a></li>\n`)}</ul>`
  const introduction = html`<p>Each form sends its operation to <code id="target">the server that this page came from</code> and shows the answer.
Forms begin with the contract's examples. Identifiers from an answer move into the forms that need them, unless you changed those.</p>
<noscript><p>Sending needs JavaScript. The API reference has the same calls as curl commands.</p></noscript>
<div class="card fields">
<p><label for="key">API key</label><input id="key" value="test_demo" autocomplete="off" spellcheck="false" autocapitalize="off">
<span class="muted">Kept in this page's memory only; gone when you leave it.</span></p>
</div>
`
  const body = html`<section>
<h2>API</h2>
${contents(ofService)}
${ofService.map((operation) => card(service, operation))}
</section>
<section id="admin">
<h2>Admin API</h2>
<p>It controls the mock: <a href="admin.html">reference</a>. Pages of other origins may not call it.</p>
<div class="card fields">
<p><label for="token">Admin token</label><input id="token" autocomplete="off" spellcheck="false" autocapitalize="off">
<span class="muted">Only if the mock was started with one. Kept in this page's memory only.</span></p>
<p class="check"><input type="checkbox" id="all"><label for="all">For all keys: send the admin calls without the API key</label></p>
</div>
${contents(ofAdmin)}
${ofAdmin.map((operation) => card(admin, operation))}
</section>`
  const head = html`${new Html(marks.target)}`
  // Upload URLs lead to any origin.
  return page('try.html', introduction, body, { style: tryStyle, script, head, policy: 'connect-src http: https:' })
}

/** Renders the form of an operation. */
function card(document: Node, operation: ContractOperation): Html {
  const { operationId, method, path, definition } = operation
  const kind = isStorage(operation) ? 'storage' : path.startsWith('/__admin/') ? 'admin' : 'service'
  return html`<article class="card" id="${operationId}">
<h3>${definition.summary}</h3>
<p><code>${method} ${kind === 'storage' ? 'upload_url' : path}</code></p>
<form class="fields" data-kind="${kind}" data-method="${method}" data-path="${path}" autocomplete="off" aria-label="${definition.summary}">
${fieldsOf(document, operation)}
<p><button>Send</button></p>
</form>
<div class="result" role="status" aria-label="Answer: ${definition.summary}"></div>
</article>
`
}

function fieldsOf(document: Node, operation: ContractOperation): Html {
  const { operationId } = operation
  const parameters = isStorage(operation) ? storageParameters(document) : parametersOf(document, operation)
  const inputs = parameters.map(({ name, in: place, required, description = '', example, value = '' }) => {
    const id = `${operationId}-${name}`
    return html`<p><label for="${id}"><code>${name}</code></label><input id="${id}" name="${name}" data-in="${place}"${place === 'url' ? html` type="url"` : undefined} value="${place === 'path' ? example : value}"${required ? html` required` : undefined} spellcheck="false" autocapitalize="off">
<span class="muted">${prose(description)}</span></p>\n`
  })
  const body = exampleBody(document, operation)
  if (isStorage(operation) || takesFile(document, operation))
    return html`${inputs}<p><label for="${operationId}-file">File</label><input id="${operationId}-file" name="file" type="file">
<span class="muted">Without one, as many zero bytes are sent as the upload request announced.</span></p>`
  if (body === undefined) return html`${inputs}`
  const text = JSON.stringify(body, null, 2)
  const rows = Math.min(text.split('\n').length, 16)
  return html`${inputs}<p><label for="${operationId}-body">JSON body</label><textarea id="${operationId}-body" name="body" rows="${rows}" spellcheck="false" autocapitalize="off">${lines(text)}</textarea></p>`
}

/** Describes the fields of the call to storage, which goes to any URL. */
function storageParameters(document: Node): Node[] {
  const { upload_url, headers } = exampleUpload(document)
  const description = 'The key is not sent. The URL of the example is not signed: request an upload first.'
  return [
    { name: 'upload_url', in: 'url', required: true, description, value: upload_url },
    { name: 'Content-Type', in: 'header', required: true, value: headers['Content-Type'] },
  ]
}

const tryStyle = `
.fields p{margin:.6rem 0}
.fields label{display:block;font-weight:600;font-size:.93rem}
.fields input:not([type=checkbox]),.fields textarea{box-sizing:border-box;width:100%;max-width:100%;padding:.4rem .6rem;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem;line-height:1.45;color:var(--text);background:var(--page);border:1px solid var(--muted);border-radius:6px}
.fields textarea{resize:vertical}
.fields .check{display:flex;gap:.5rem;align-items:baseline}
.fields .muted{font-size:.875rem}
button{padding:.45rem 1.4rem;font:inherit;font-weight:600;color:var(--card);background:var(--link);border:1px solid var(--link);border-radius:6px;cursor:pointer}
button[aria-disabled=true]{opacity:.6}
.result .label{margin-top:.8rem}
[hidden]{display:none}
`
