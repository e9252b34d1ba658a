import { gap, gapIds, requirement } from '../catalogue/catalogue.ts'
import type { BaselineEntry, BaselineOutcome } from '../judging/baseline.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { advice } from './advice.ts'
import { checkLink } from './html-checks.ts'
import { type Html, html, prose } from './html-text.ts'
import type { RunResult } from './result.ts'
import { sectionTitle } from './sections.ts'
import { count, duration } from './tally.ts'

/** Renders what to do next. */
export function advicePart(result: RunResult, baseline: BaselineOutcome): Html {
  return html`<h2 id="next">What to do next</h2>
<ol class="todo">
${advice(result, baseline).map(({ text, checks }) => {
  const links = checks.map((id) => html`<li>${checkLink(id)} ${prose(requirement(id).fact)}</li>\n`)
  return html`<li>${text}${links.length > 0 ? html`<ul>${links}</ul>` : undefined}</li>\n`
})}</ol>
${result.notes.length > 0 ? html`<h3>Notes of the run</h3><ul class="wrap">${result.notes.map((note) => html`<li>${note}</li>`)}</ul>` : undefined}
`
}

/** Renders what a front end reads and the deployment does not give or show, if that was asked. */
export function needsPart({ reads }: RunResult): Html | undefined {
  if (!reads) return undefined
  return html`<h2 id="reads">What the front end reads</h2>
<p class="muted">${countNeeds(reads)}. ${meaningOfNeeds(reads)}</p>
${openNeeds(reads).map(
  (row) => html`<div class="card ${row.verdict === 'missing' ? 'bad' : 'unsure'}">
<div class="question"><span class="badge">${row.verdict}</span> <p class="wrap">${needText(row)}</p></div>
</div>
`,
)}`
}

/** Renders the open questions with this deployment's answers, first those that differ from the reference. */
export function gapsPart({ gaps }: RunResult): Html {
  const sorted = [...gaps].sort((a, b) => Number(a.sameAsOurs) - Number(b.sameAsOurs))
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs).length
  const silent = gapIds.filter((id) => !gaps.some((answer) => answer.id === id))
  return html`<h2 id="questions">Open questions answered</h2>
<p class="muted">The interface document leaves these questions open, so no answer is wrong. But a client that was built on the mock may not expect
the differences. ${count(gaps.length, 'answer')}, ${differing} different from the reference.</p>
${sorted.map(({ id, observed, sameAsOurs }) => {
  const { question, choice, section } = gap(id)
  return html`<div class="card ${sameAsOurs ? 'good' : 'unsure'}">
<div class="question"><span class="badge">${sameAsOurs ? 'same' : 'different'}</span> <p>${prose(question)}</p></div>
<dl class="answer"><dt>This deployment</dt><dd>${observed}</dd><dt>The reference</dt><dd>${prose(choice)}</dd><dt>Left open by</dt><dd>${sectionTitle(section)} <code>${id}</code></dd></dl>
</div>
`
})}
${
  silent.length > 0
    ? html`<details><summary>${count(silent.length, 'question')} not answered by this run</summary>
<ul>${silent.map((id) => html`<li>${prose(gap(id).question)} <code>${id}</code></li>\n`)}</ul></details>`
    : undefined
}
`
}

/** Renders the values that the run found in the answers, with places and rules. */
export function locatedPart({ findings }: RunResult): Html {
  return html`<h2 id="located">Where values were found</h2>
${
  findings.length > 0
    ? html`<p class="muted"><em>Proven:</em> its value follows what was sent in samples that differ, or using it works. <em>Named:</em> it has the documented name and stands beside proven places. <em>Likely:</em> found only by words or form.</p>
<table><caption>JSON Pointers into answers; a star is any item of a list</caption>
<thead><tr><th scope="col">What</th><th scope="col">Where</th><th scope="col">Why</th><th scope="col">Strength</th></tr></thead>
<tbody>${findings.map(
        ({ what, answer, place, rule, strength, rejected }) =>
          html`<tr><td><code>${what}</code></td><td>${answer} <code>${place}</code></td><td>${rule}${rejected.length > 0 ? html`<br><span class="muted">Rejected: ${rejected.join('; ')}</span>` : undefined}</td><td>${strength}</td></tr>\n`,
      )}</tbody></table>`
    : html`<p>No values were found.</p>`
}
`
}

/** Renders what the run left behind. */
export function leftBehindPart({ leftBehind, runId }: RunResult): Html {
  const items = html`<ul class="wrap">${leftBehind.map((thing) => html`<li><code>${thing}</code></li>\n`)}</ul>`
  return html`<h2 id="left">What was left behind</h2>
${
  leftBehind.length > 0
    ? html`<p>The run created these workflows, executions, stored objects and documents. The API has no call to delete them. Names of workflows and files begin with <code>conformance-${runId}-</code>.</p>
<details${leftBehind.length <= 10 ? html` open` : undefined}><summary>${count(leftBehind.length, 'item')}</summary>${items}</details>`
    : html`<p>The run left nothing behind.</p>`
}
`
}

/** Renders the known failures. Returns undefined if the baseline had no effect. */
export function baselinePart({ expected, unexpectedPasses, expired }: BaselineOutcome): Html | undefined {
  if (expected.length + unexpectedPasses.length + expired.length === 0) return
  const cards = (entries: readonly BaselineEntry[], tone: string, now: string) =>
    entries.map(
      ({ check, owner, reason, expires }) => html`<div class="card ${tone}">
<div class="question"><span class="badge">${now}</span> <p>${checkLink(check)}</p></div>
<dl class="answer"><dt>Owner</dt><dd>${owner}</dd><dt>Reason</dt><dd>${reason}</dd><dt>Expires</dt><dd>${expires}</dd></dl>
</div>
`,
    )
  return html`<h2 id="known">Known failures</h2>
<p class="muted">The baseline lists these failures. Remove the entries of checks that pass, and fix those that have expired.</p>
${cards(expired, 'bad', 'expired')}${cards(
  unexpectedPasses.filter((entry) => !expired.includes(entry)),
  'bad',
  'passes',
)}${cards(expected, 'unsure', 'fails')}
`
}

/** Renders the time by kind, and the slowest checks. */
export function timePart({ durationMs, requests, checks }: RunResult): Html {
  const rest = Math.max(0, durationMs - requests.answeringMs - requests.waitingMs)
  const shares = [
    { name: 'Waiting for answers', ms: requests.answeringMs },
    { name: 'Pauses between requests, to limit the rate', ms: requests.waitingMs },
    { name: 'The suite itself', ms: rest },
  ]
  const slowest = [...checks].sort((a, b) => b.durationMs - a.durationMs).slice(0, 5)
  return html`<h2 id="time">Where the time went</h2>
<table><caption>${duration(durationMs)} in all, ${count(requests.sent, 'request')}${requests.sentAgain ? `, ${requests.sentAgain} of them sent again after 429, 502, 503 or 504` : ''}</caption>
<tbody>${shares.map(({ name, ms }) => html`<tr><td>${name}</td><td class="number">${duration(ms)}</td></tr>\n`)}</tbody></table>
${
  slowest.length > 0
    ? html`<table><caption>The slowest checks</caption>
<tbody>${slowest.map(({ id, durationMs: ms }) => html`<tr><td>${checkLink(id)}</td><td class="number">${duration(ms)}</td></tr>\n`)}</tbody></table>`
    : undefined
}
`
}
