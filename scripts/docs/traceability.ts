import { type RequirementId, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { type Html, html, prose } from '../../conformance/report/html-text.ts'
import { sectionName } from '../../conformance/report/sections.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { axes } from '../../conformance/selftest/variants/index.ts'
import type { Citation } from '../citations.ts'
import { cardsBySection, citedAt } from './cards.ts'
import { page } from './page.ts'

/** The checks that failed on each mutant, from a run of all mutants. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** Renders the page that traces each requirement from its sentence to the mutants that prove its check. */
export function traceabilityPage(citations: readonly Citation[], kills: Kills): string {
  const checked = requirementIds.filter((id) => requirement(id).unobservable === undefined)
  const killed = Object.values(kills).filter((red) => red.length > 0).length
  const introduction = html`<p>Every requirement, from its sentence in the interface document to the proof that its check can fail:
the places in the contract that cite it, the check, and the <em>mutants</em> on which the check fails. A mutant is the reference with one
fact broken on purpose. <code>npm run selftest:serve -- --mutant ID --variant AXIS=VALUE --port N</code> serves any, also together with
<a href="#variants">another choice</a> in a matter that the document leaves open.</p>
<ul class="facts">
<li>${requirementIds.length} requirements</li>
<li>${checked.length} checks</li>
<li>${killed} of ${Object.keys(kills).length} mutants fail a check; the others break no requirement</li>
</ul>
<p class="muted">The failed checks were recorded in a run of all mutants. CI repeats a quarter of it with each commit,
and <code>npm run selftest:deep</code> all of it. They fail if a result differs.</p>`
  const cards = cardsBySection(
    requirementIds,
    (id) => requirement(id).section,
    (id) => requirementCard(id, citations, kills),
  )
  return page('traceability.html', introduction, html`${cards}${harmless()}${variants()}`)
}

/** Lists the mutants on which no documented check may fail, with the reason. */
function harmless(): Html {
  const others = mutants.filter(({ kills }) => kills.length === 0)
  return html`<h2 id="no-fact">Mutants that break no documented fact</h2>
<article class="card"><p>No documented check may fail on them.</p>
<ul>${others.map(({ id, breaks, inherited = '' }) => html`<li><code>${id}</code> ${prose(breaks)} ${prose(inherited)}</li>\n`)}</ul>
</article>
`
}

/** Lists the choices in which a deployment may differ. */
function variants(): Html {
  return html`<h2 id="variants">Other choices</h2>
<article class="card"><p>The reference with one of these values differs where the document is silent. No check may fail on it.</p>
<dl class="answer">${axes.map(({ axis, values }) => html`<dt>${axis}</dt><dd>${Object.keys(values).join(', ')}</dd>\n`)}</dl>
</article>
`
}

function requirementCard(id: RequirementId, citations: readonly Citation[], kills: Kills): Html {
  const { fact, quote, section, also = [], level, binds, provenance, inference, unobservable } = requirement(id)
  const killed = mutants.filter((mutant) => kills[mutant.id]?.includes(id))
  return html`<article class="card" id="${id}">
<h3>${prose(fact)}</h3>
<p><span class="badge ${provenance === 'documented' ? 'good' : 'neutral'}">${provenance}</span> <span class="tag">${level}</span> <span class="tag">binds the ${binds}</span> <code>${id}</code></p>
<dl class="answer">
<dt>Source</dt><dd>${[section, ...also].map(sectionName).join(', ')}${quote && html`<blockquote>${prose(quote)}</blockquote>`}</dd>
${inference && html`<dt>Implied because</dt><dd>${prose(inference)}</dd>`}
${provenance === 'documented' ? html`<dt>In the contract</dt><dd>${citedAt(id, citations)}</dd>` : undefined}
<dt>Check</dt><dd>${unobservable ? html`None. ${prose(unobservable)}` : html`<code>countersign conformance --only ${id}</code>`}</dd>
${unobservable ? undefined : html`<dt>Fails on</dt><dd>${mutantList(killed)}</dd>`}
</dl>
</article>
`
}

function mutantList(killed: typeof mutants): Html {
  if (killed.length === 0) return html`No mutant. Only documented checks need one.`
  return html`<details><summary>${killed.length} ${killed.length === 1 ? 'mutant' : 'mutants'}</summary>
<ul>${killed.map(({ id, breaks }) => html`<li><code>${id}</code> ${prose(breaks)}</li>\n`)}</ul></details>`
}
