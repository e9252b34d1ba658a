import { gap, gapIds, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { Html, html } from '../../conformance/report/html-text.ts'
import { type Node, operationsOf, resolve } from '../contract.ts'
import type { Entry } from './browser/rank.ts'
import { errorCalls } from './error-calls.ts'
import { errorIds } from './errors.ts'
import { guideEntries } from './guides.ts'
import { page, type ReferenceName } from './page.ts'

/** Lists everything that the search finds: guides, operations, fields, questions, requirements and errors. */
export function searchEntries(service: Node, admin: Node): Entry[] {
  const calls = errorCalls(service, admin)
  const ids = errorIds(calls)
  return [
    ...guideEntries(),
    ...operationEntries(service, 'index.html', 'API reference'),
    ...operationEntries(admin, 'admin.html', 'Admin API'),
    ...fieldEntries(service, 'index.html'),
    ...fieldEntries(admin, 'admin.html'),
    ...calls.map((call, place) => ({
      kind: 'Errors',
      title: `${call.status} ${call.code}`,
      text: `${call.operationId}: ${plain(call.wrong)}`,
      href: `errors.html#${ids[place]}`,
    })),
    ...gapIds.map((id) => ({
      kind: 'Open questions',
      title: plain(gap(id).question),
      text: `${plain(gap(id).choice)} (${id})`,
      href: `questions.html#${id}`,
    })),
    ...requirementIds.map((id) => ({
      kind: 'Requirements',
      title: plain(requirement(id).fact),
      text: id,
      href: `traceability.html#${id}`,
    })),
  ]
}

/** Returns the address of an operation on a page of Redoc. */
function placeOf(page: ReferenceName, { operationId, tags: [tag] }: Node): string {
  return `${page}#/${tag}/${operationId}`.toLowerCase()
}

function operationEntries(document: Node, name: ReferenceName, kind: string): Entry[] {
  return operationsOf(document).map(({ operationId, method, path, definition }) => ({
    kind,
    title: definition.summary,
    text: `${method} ${path}, ${operationId}. ${plain(definition.description)}`,
    href: placeOf(name, definition),
  }))
}

/** Lists the fields of requests and answers, each with its operations; the link leads to the first of them. */
function fieldEntries(document: Node, name: ReferenceName): Entry[] {
  const fields = new Map<string, { operations: string[]; href: string; text: string }>()
  for (const { operationId, definition } of operationsOf(document)) {
    const bodies = [definition.requestBody, ...Object.values(definition.responses)]
    for (const [field, description] of bodies.flatMap((body) => fieldsIn(document, body))) {
      const text = plain(description)
      const known = fields.get(`${field} ${text}`)
      if (!known) fields.set(`${field} ${text}`, { operations: [operationId], href: placeOf(name, definition), text })
      else if (!known.operations.includes(operationId)) known.operations.push(operationId)
    }
  }
  return [...fields].map(([key, { operations, href, text }]) => ({
    kind: 'Fields',
    title: key.split(' ')[0] ?? '',
    text: `${text} ${operations.length > 3 ? `In ${operations.length} operations` : `In ${operations.join(', ')}`}.`.trim(),
    href,
  }))
}

/** Lists the names and descriptions of the fields in a body or a schema. */
function fieldsIn(document: Node, node: Node): [string, string][] {
  if (node === null || typeof node !== 'object') return []
  const target = resolve(document, node)
  const own = Object.entries<Node>(target.properties ?? {}).map(([field, schema]): [string, string] => [
    field,
    schema.description ?? resolve(document, schema).description ?? '',
  ])
  const inner = [
    ...Object.values(target.properties ?? {}),
    ...Object.values<Node>(target.content ?? {}).map(({ schema }) => schema),
    ...['items', 'allOf', 'oneOf'].flatMap((key) => target[key] ?? []),
  ]
  return [...own, ...inner.flatMap((one) => fieldsIn(document, one))]
}

/** Returns a text of the catalogue or of a contract on one line and without backticks. */
function plain(text = ''): string {
  return text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim()
}

const searchStyle = `
#results h2{margin:1.75rem 0 .25rem;font-size:1.1rem}
#results li{padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
#results p{margin:0;font-size:.93rem}
button{margin:.6rem 0;padding:.35rem .8rem;font:inherit;color:var(--link);background:var(--card);border:1px solid var(--muted);border-radius:6px;cursor:pointer}
`

/** Renders the page that searches all pages, without a network. */
export function searchPage(entries: readonly Entry[], script: string): string {
  const introduction = html`<p>Type in the box above. The arrow keys go through the results, and Escape goes back.</p>
<noscript><p>The search needs JavaScript. Without it, use your browser's search on each page.</p></noscript>`
  const json = new Html(JSON.stringify(entries).replaceAll('<', '\\u003c'))
  const body = html`<p id="count" role="status" class="muted"></p>
<div id="results"></div>
<script type="application/json" id="entries">${json}</script>`
  return page('search.html', introduction, body, { style: searchStyle, script })
}
