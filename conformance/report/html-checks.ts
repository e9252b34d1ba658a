import { type RequirementId, requirement, requirementIds } from '../catalogue/catalogue.ts'
import type { BaselineOutcome } from '../judging/baseline.ts'
import { binds, type Verdict } from '../judging/verdict.ts'
import { worstFirst } from './advice.ts'
import { groundSentence } from './ground.ts'
import { exchangeDetails, exchangeLink } from './html-exchanges.ts'
import { type Html, html, prose } from './html-text.ts'
import { labelledParticulars } from './particulars.ts'
import type { CheckResult, RunResult } from './result.ts'
import { bySection, sectionName, sectionTitle, source } from './sections.ts'

/** The meaning of a colour. */
export type Tone = 'good' | 'bad' | 'unsure' | 'neutral' | 'broken'

/** The colour of a verdict. The word is always shown beside it. */
export const tones: Readonly<Record<Verdict, Tone>> = {
  'harness-error': 'broken',
  fail: 'bad',
  inconclusive: 'unsure',
  blocked: 'unsure',
  'not-run': 'neutral',
  accepted: 'good',
  pass: 'good',
  'not-applicable': 'neutral',
}

/** Renders a link to a check of the page. */
export function checkLink(id: RequirementId): Html {
  return html`<a href="#${anchor(id)}"><code>${id}</code></a>`
}

/** Renders all requirements with their results, by section. */
export function requirementsPart({ checks, exchanges }: RunResult, baseline: BaselineOutcome): Html {
  const results = new Map(checks.map((check) => [check.id, check]))
  const unchecked = requirementIds.filter((id) => !results.has(id))
  const sections = new Set([...checks.map(({ section }) => section), ...unchecked.map((id) => requirement(id).section)])
  return html`<h2 id="requirements">Requirements</h2>
<p class="muted">Each requirement is a fact of the interface document, or of a standard that it builds on. Passed requirements are collapsed.</p>
${[...sections].sort(bySection).map((section) => {
  const here = checks.filter((check) => check.section === section).sort(worstFirst(baseline))
  const others = unchecked.filter((id) => requirement(id).section === section)
  const passed = here.filter(({ verdict }) => verdict === 'pass' || verdict === 'accepted').length
  return html`<section>
<h3>${sectionTitle(section)} <small>${here.length > 0 ? `${passed} of ${here.length} pass` : 'no checks'}</small></h3>
${here.map((check) => checkDetails(check, exchanges, baseline))}
${others.map(uncheckedDetails)}
</section>
`
})}`
}

/** The number of exchanges shown in full with a check that did not pass. Earlier ones are linked. */
const shownWhole = 4

function checkDetails(check: CheckResult, exchanges: RunResult['exchanges'], baseline: BaselineOutcome): Html {
  const { id, section, provenance, level, verdict, flaky, message, blockedBy, ground } = check
  const { fact, basis, inference, also = [] } = requirement(id)
  const expected = baseline.expected.find((entry) => entry.check === id)
  const stale = baseline.unexpectedPasses.find((entry) => entry.check === id)
  const passes = (verdict === 'pass' || verdict === 'accepted') && !stale
  const mild = verdict === 'fail' && (!binds(check) || expected)
  const word = expected ? `${verdict}, known` : mild ? 'warning' : verdict
  const particulars = labelledParticulars(check)
  const called = check.exchange === undefined ? undefined : exchanges[check.exchange]
  const seen = check.exchanges.filter((place) => exchanges[place])
  return html`<details class="check ${mild ? 'unsure' : stale ? 'bad' : tones[verdict]}" id="${anchor(id)}"${passes ? undefined : html` open`}>
<summary><span class="badge">${word}</span> <span class="fact">${prose(fact)}</span></summary>
<div class="body">
<p class="message wrap">${message}</p>
${particulars.length > 0 ? html`<dl class="answer">${particulars.map(([label, text]) => html`<dt>${label}</dt><dd><code class="wrap">${text}</code></dd>`)}${called && html`<dt>Exchange</dt><dd>${exchangeLink(called, check.exchange ?? 0)}</dd>`}</dl>` : undefined}
${ground && html`<p class="wrap">${groundSentence(ground)}</p>`}
${expected && html`<p><strong>Known</strong> until ${expected.expires}, owner ${expected.owner}: ${expected.reason}</p>`}
${stale && html`<p><strong>The baseline lists it as a known failure.</strong> Remove its entry (owner ${stale.owner}).</p>`}
${mild && !expected ? html`<p>It does not make the deployment nonconforming: ${mildness(check)}.</p>` : undefined}
${blockedBy && html`<p>Blocked by ${checkLink(blockedBy)}.</p>`}
${flaky ? html`<p><strong>Flaky:</strong> its attempts disagreed.</p>` : undefined}
${basis && html`<p class="muted">No sentence states this explicitly. It is implied: ${inference && prose(inference)}</p>`}
<p><code>${id}</code> <span class="tag">${level}</span> <span class="tag">${provenance}</span> <span class="tag">${[section, ...also].map(sectionName).join(', ')}</span></p>
${seen.length > 0 ? html`<p class="label">${passes ? 'Exchanges behind the verdict' : 'Exchanges behind the verdict, with commands to repeat them'}</p>` : undefined}
${seen.map((place) => {
  const exchange = exchanges[place]
  if (!exchange) return undefined
  const isLatest = seen.indexOf(place) >= seen.length - shownWhole
  return passes || !isLatest ? html`<p>${exchangeLink(exchange, place)}</p>` : exchangeDetails(exchange, place)
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

function mildness(check: CheckResult): string {
  switch (check.provenance) {
    case 'documented':
      return `it is a ${check.level}, not a must`
    case 'inherited':
      return `the requirement comes from ${source(check)}, not from the interface document`
    case 'assumed':
      return 'the interface document leaves it open, and the reference made a choice'
    default:
      throw new Error(`unknown provenance: ${check.provenance satisfies never}`)
  }
}

function anchor(id: RequirementId): string {
  return `check-${id}`
}
