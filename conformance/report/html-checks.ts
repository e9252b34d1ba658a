import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import { exchangeDetails, exchangeLink } from './html-exchanges.ts'
import { type Html, html, prose } from './html-text.ts'
import { groundSentence, labelledParticulars } from './particulars.ts'
import { bySection, sectionName, sectionTitle, source } from './sections.ts'
import { type CheckView, type RunView, tones } from './view.ts'

/** Renders a link to a check of the page. */
export function checkLink(id: RequirementId): Html {
  return html`<a href="#${anchor(id)}"><code>${id}</code></a>`
}

/** Renders all requirements with their results, by section. */
export function requirementsPart({ checks, exchanges }: RunView): Html {
  const unchecked = requirementIds.filter((id) => !checks.some((check) => check.id === id))
  const sections = new Set([...checks.map(({ section }) => section), ...unchecked.map((id) => requirement(id).section)])
  return html`<h2 id="requirements">Requirements</h2>
<p class="muted">Each requirement is a fact of the interface document, or of a standard that it builds on. Passed requirements are collapsed.</p>
${[...sections].sort(bySection).map((section) => {
  const here = checks.filter((check) => check.section === section).sort((a, b) => a.rank - b.rank)
  const others = unchecked.filter((id) => requirement(id).section === section)
  const passed = here.filter(isPassed).length
  return html`<section>
<h3>${sectionTitle(section)} <small>${here.length > 0 ? `${passed} of ${here.length} pass` : 'no checks'}</small></h3>
${here.map((check) => checkDetails(check, exchanges))}
${others.map(uncheckedDetails)}
</section>
`
})}`
}

const isPassed = ({ verdict }: CheckView) => verdict === 'pass' || verdict === 'accepted'

/** The number of exchanges shown in full with a check that did not pass. Earlier ones are linked. */
const shownWhole = 4

function checkDetails(check: CheckView, exchanges: RunView['exchanges']): Html {
  const { id, section, provenance, level, verdict, standing, known, stale, flaky, message, blockedBy } = check
  const { fact, basis, inference, also = [] } = requirement(id)
  const passes = isPassed(check) && !stale
  const tone = stale && verdict !== 'fail' ? 'bad' : tones[standing]
  const particulars = labelledParticulars(check)
  const ground = groundSentence(check)
  const called = check.exchange === undefined ? undefined : exchanges[check.exchange]
  const seen = check.exchanges.filter((place) => exchanges[place])
  return html`<details class="check ${tone}" id="${anchor(id)}"${passes ? undefined : html` open`}>
<summary><span class="badge">${standing}</span> <span class="fact">${prose(fact)}</span></summary>
<div class="body">
<p class="message wrap">${message}</p>
${particulars.length > 0 ? html`<dl class="answer">${particulars.map(([label, text]) => html`<dt>${label}</dt><dd><code class="wrap">${text}</code></dd>`)}${called && html`<dt>Exchange</dt><dd>${exchangeLink(called, check.exchange ?? 0)}</dd>`}</dl>` : undefined}
${ground && html`<p class="wrap">${ground}</p>`}
${known && html`<p><strong>Known</strong> until ${known.expires}, owner ${known.owner}: ${known.reason}</p>`}
${stale && html`<p><strong>The baseline is out of date.</strong> ${stale}</p>`}
${standing === 'warning' ? html`<p>It does not make the deployment nonconforming: ${mildness(check)}.</p>` : undefined}
${blockedBy && html`<p>Blocked by ${checkLink(blockedBy)}.</p>`}
${flaky ? html`<p><strong>Flaky:</strong> its attempts disagreed.</p>` : undefined}
${basis && html`<p class="muted">No sentence states this explicitly. It is implied: ${inference && prose(inference)}</p>`}
<p><code>${id}</code> <span class="tag">${level}</span> <span class="tag">${provenance}</span> <span class="tag">${[section, ...also].map(sectionName).join(', ')}</span></p>
${seen.length > 0 ? html`<p class="label">Exchanges behind the verdict${passes ? '' : ', with commands to repeat them'}</p>` : undefined}
${seen.map((place, index) => {
  const exchange = exchanges[place]
  if (!exchange) return undefined
  const isWhole = !passes && index >= seen.length - shownWhole
  return isWhole ? exchangeDetails(exchange, place) : html`<p>${exchangeLink(exchange, place)}</p>`
})}
</div>
</details>
`
}

function uncheckedDetails(id: RequirementId): Html {
  const { fact, unobservable = 'The suite has no check for this requirement.' } = requirement(id)
  return html`<details class="check neutral" id="${anchor(id)}">
<summary><span class="badge">not checked</span> <span class="fact">${prose(fact)}</span></summary>
<div class="body">
<p class="message">${prose(unobservable)}</p>
<p><code>${id}</code></p>
</div>
</details>
`
}

/** Says why a failure is only a warning. */
function mildness(check: CheckView): string {
  return {
    documented: `it is a ${check.level}, not a must`,
    inherited: `the requirement comes from ${source(check)}, not from the interface document`,
    assumed: 'the interface document leaves it open, and the reference made a choice',
  }[check.provenance]
}

function anchor(id: RequirementId): string {
  return `check-${id}`
}
