import { type RequirementId, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { type Html, html, prose } from '../../conformance/report/html-text.ts'
import { bySection, sectionName, sectionTitle } from '../../conformance/report/sections.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import type { Citation } from '../citations.ts'
import { citedAt } from './cited-at.ts'
import { page } from './page.ts'

/** Which checks were red on each mutant, by a run of all of them. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** The page that follows each requirement from its sentence to what proves its check. */
export function traceabilityPage(citations: readonly Citation[], kills: Kills): string {
  const checked = requirementIds.filter((id) => requirement(id).unobservable === undefined)
  const sections = [...new Set(requirementIds.map((id) => requirement(id).section))].sort(bySection)
  const noticed = Object.values(kills).filter((red) => red.length > 0).length
  const introduction = html`<p>Every requirement, from the sentence that it rests on to the proof that its check would notice if it
were broken: the place where the contract states it, the check, and the <em>mutants</em> on which the check turns red. A mutant is the
reference with one thing broken on purpose.</p>
<ul class="facts">
<li>${requirementIds.length} requirements</li>
<li>${checked.length} checks</li>
<li>${noticed} of ${Object.keys(kills).length} mutants turn a check red; the others break what nobody asks for</li>
</ul>
<p class="muted">Which check was red on which mutant is the record of a run of all of them; <code>npm test</code> runs them again and fails
where one differs.</p>`
  const body = sections.map(
    (section) => html`<h2>${sectionTitle(section)}</h2>
${requirementIds.filter((id) => requirement(id).section === section).map((id) => requirementCard(id, citations, kills))}`,
  )
  return page('traceability.html', introduction, html`${body}`)
}

function requirementCard(id: RequirementId, citations: readonly Citation[], kills: Kills): Html {
  const { fact, quote, section, also = [], level, binds, provenance, inference, unobservable } = requirement(id)
  const killed = mutants.filter((mutant) => kills[mutant.id]?.includes(id))
  return html`<article class="card" id="${id}">
<h3>${prose(fact)}</h3>
<p><span class="badge ${provenance === 'documented' ? 'good' : 'neutral'}">${provenance}</span> <span class="tag">${level}</span> <span class="tag">binds the ${binds}</span> <code>${id}</code></p>
<dl class="answer">
<dt>Said by</dt><dd>${[section, ...also].map(sectionName).join(', ')}${quote && html`<blockquote>${prose(quote)}</blockquote>`}</dd>
${inference && html`<dt>Implied, since</dt><dd>${prose(inference)}</dd>`}
${provenance === 'documented' ? html`<dt>In the contract</dt><dd>${citedAt(id, citations)}</dd>` : undefined}
<dt>Check</dt><dd>${unobservable ? html`None. ${prose(unobservable)}` : html`<code>countersign conformance --only ${id}</code>`}</dd>
${unobservable ? undefined : html`<dt>Turns red on</dt><dd>${mutantList(killed)}</dd>`}
</dl>
</article>
`
}

function mutantList(killed: typeof mutants): Html {
  if (killed.length === 0) return html`No mutant. The gate demands one of documented checks alone.`
  return html`<details><summary>${killed.length} ${killed.length === 1 ? 'mutant' : 'mutants'}</summary>
<ul>${killed.map(({ id, breaks }) => html`<li><code>${id}</code> ${prose(breaks)}</li>\n`)}</ul></details>`
}
