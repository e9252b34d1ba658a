import { gap, gapIds } from '../../conformance/catalogue/catalogue.ts'
import { type Html, html, prose } from '../../conformance/report/html-text.ts'
import type { Citation } from '../citations.ts'
import { cardsBySection, citedAt } from './cards.ts'
import { page } from './page.ts'

/** Renders the page of the questions that the interface document leaves open. */
export function questionsPage(citations: readonly Citation[]): string {
  const asked = gapIds.filter((id) => gap(id).ask !== undefined)
  const introduction = html`<p>The interface document leaves many things ‘not shown’. Each of them is a question here, with the answer
of the contract and the mock, and the reason. A deployment may answer differently and still conform.</p>
<p>How does <em>your</em> deployment answer? One run of the suite answers ${gapIds.length - asked.length} of the ${gapIds.length} questions, in the section
‘Open questions answered’ of its report. For the other ${asked.length}, this page says how to find out.</p>
<pre>COUNTERSIGN_API_KEY=test_… npx countersign conformance --url https://… --report html</pre>`
  const cards = cardsBySection(
    gapIds,
    (id) => gap(id).section,
    (id) => questionCard(id, citations),
  )
  return page('questions.html', introduction, cards)
}

function questionCard(id: (typeof gapIds)[number], citations: readonly Citation[]): Html {
  const { question, choice, why, plausible, ask, profile = [] } = gap(id)
  const entries = profile.map((entry) => html`<li><code>${entry}</code></li>`)
  return html`<article class="card" id="${id}">
<h3>${prose(question)}</h3>
<dl class="answer">
<dt>Our choice</dt><dd>${prose(choice)}</dd>
<dt>Why</dt><dd>${prose(why)}</dd>
<dt>Also plausible</dt><dd><ul class="plain">${plausible.map((other) => html`<li>${prose(other)}</li>`)}</ul></dd>
<dt>In the contract</dt><dd>${citedAt(id, citations)}</dd>
<dt>Your deployment</dt><dd>${ask ? prose(ask) : html`The report of <code>countersign conformance --url …</code> answers it as <code>${id}</code>.`}</dd>
${entries.length > 0 ? html`<dt>In a profile</dt><dd><p>If the suite does not find it, set it in the file that you pass with <code>--profile</code>:</p><ul class="plain">${entries}</ul></dd>` : undefined}
</dl>
</article>
`
}
