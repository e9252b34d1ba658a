import { type Html, html, prose } from '../../conformance/report/html-text.ts'
import type { ContractChanges } from '../contract-history.ts'
import { page } from './page.ts'

/** Renders the page of what changed in the contracts, from version to version. */
export function changesPage(history: readonly ContractChanges[]): string {
  const introduction = html`<p>What changed in the contracts of the service and of the admin API from one version to the next, as
<code>redocly diff</code> finds it: first what breaks users, then the rest. <code>npm run contract:diff</code> compares the same way.</p>`
  const none = html`<article class="card"><h2>No earlier version</h2>
<p>The repository from which these pages were built has no earlier version of the contract: no tag of a release such as <code>v0.2.0</code>.
So there is nothing to compare this version with.</p></article>`
  return page('changes.html', introduction, history.length === 0 ? none : html`${history.map(release)}`)
}

function release({ from, to, breaks, others }: ContractChanges): Html {
  const list = (title: string, tone: string, sentences: readonly string[]) =>
    sentences.length === 0
      ? undefined
      : html`<h3><span class="badge ${tone}">${title}</span></h3><ul>${sentences.map((sentence) => html`<li class="wrap">${prose(sentence)}</li>\n`)}</ul>`
  return html`<article class="card"><h2>From ${from} to ${to}</h2>
${breaks.length + others.length === 0 ? html`<p>The contracts are the same.</p>` : undefined}
${list('Breaks users', 'bad', breaks)}
${list('Compatible', 'good', others)}
</article>
`
}
