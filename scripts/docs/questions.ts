import { gap, gapIds } from '../../conformance/catalogue/catalogue.ts'
import { type Html, html, prose } from '../../conformance/report/html-text.ts'
import { bySection, sectionTitle } from '../../conformance/report/sections.ts'
import type { Citation } from '../citations.ts'
import { citedAt } from './cited-at.ts'
import { page } from './page.ts'

/** The page of the questions that the interface document leaves open. */
export function questionsPage(citations: readonly Citation[]): string {
  const sections = [...new Set(gapIds.map((id) => gap(id).section))].sort(bySection)
  const asked = gapIds.filter((id) => gap(id).ask !== undefined)
  const introduction = html`<p>The interface document says ‘not shown’ about many things. Each is a question here, with the
answer that the contract and the mock give, and why. A deployment may answer otherwise and still conform.</p>
<p>How does <em>your</em> deployment answer? ${gapIds.length - asked.length} of the ${gapIds.length} questions are answered by one run of the suite,
in the part ‘Open questions answered’ of its report; for the other ${asked.length} this page says how to find out.</p>
<pre>COUNTERSIGN_API_KEY=test_… npx countersign conformance --url https://… --report html</pre>`
  const body = sections.map(
    (section) => html`<h2 id="section-${section}">${sectionTitle(section)}</h2>
${gapIds.filter((id) => gap(id).section === section).map((id) => questionCard(id, citations))}`,
  )
  return page('questions.html', introduction, html`${body}`)
}

function questionCard(id: (typeof gapIds)[number], citations: readonly Citation[]): Html {
  const { question, choice, why, plausible, ask, profile = [] } = gap(id)
  const entries = profile.map((entry) => html`<li><code>${entry}</code></li>`)
  return html`<article class="card" id="${id}">
<h3>${prose(question)}</h3>
<dl class="answer">
<dt>Our choice</dt><dd>${prose(choice)}</dd>
<dt>Why</dt><dd>${prose(why)}</dd>
<dt>As plausible</dt><dd><ul class="plain">${plausible.map((other) => html`<li>${prose(other)}</li>`)}</ul></dd>
<dt>In the contract</dt><dd>${citedAt(id, citations)}</dd>
<dt>Your deployment</dt><dd>${ask ? prose(ask) : html`The report of <code>countersign conformance --url …</code> answers it as <code>${id}</code>.`}</dd>
${entries.length > 0 ? html`<dt>In a profile</dt><dd><p>Where the suite does not find it, say it in the file of <code>--profile</code>:</p><ul class="plain">${entries}</ul></dd>` : undefined}
</dl>
</article>
`
}
