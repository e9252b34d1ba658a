import { gap, gapIds, requirement } from '../catalogue/catalogue.ts'
import type { BaselineEntry } from '../judging/baseline.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { advice } from './advice.ts'
import { checkLink, requirementsPart } from './html-checks.ts'
import { exchangesPart } from './html-exchanges.ts'
import { type Html, html, prose } from './html-text.ts'
import { sectionTitle } from './sections.ts'
import { count, duration } from './tally.ts'
import type { RunView, Tone } from './view.ts'

/** Renders everything but the head of the report, what matters most first. */
export function reportParts(view: RunView): Html {
  return html`${advicePart(view)}
${baselinePart(view)}
${requirementsPart(view)}
${needsPart(view)}
${gapsPart(view)}
${locatedPart(view)}
${leftBehindPart(view)}
${timePart(view)}
${exchangesPart(view)}`
}

/** Renders what to do next. */
function advicePart(view: RunView): Html {
  return html`<h2 id="next">What to do next</h2>
<ol class="todo">
${advice(view).map(({ text, checks }) => {
  const links = checks.map((id) => html`<li>${checkLink(id)} ${prose(requirement(id).fact)}</li>\n`)
  return html`<li>${text}${links.length > 0 ? html`<ul>${links}</ul>` : undefined}</li>\n`
})}</ol>
${view.notes.length > 0 ? html`<h3>Notes of the run</h3><ul class="wrap">${view.notes.map((note) => html`<li>${note}</li>`)}</ul>` : undefined}
`
}

/** Renders a card with a word in a colour, a title, and what is said of it. */
function card(tone: Tone, word: string, title: Html, rows: Readonly<Record<string, string | Html>> = {}): Html {
  const said = Object.entries(rows).map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)
  return html`<div class="card ${tone}">
<div class="question"><span class="badge">${word}</span> ${title}</div>
${said.length > 0 ? html`<dl class="answer">${said}</dl>\n` : undefined}</div>
`
}

/** Renders what a front end reads and the deployment does not give or show, if that was asked. */
function needsPart({ reads }: RunView): Html | undefined {
  if (!reads) return undefined
  return html`<h2 id="reads">What the front end reads</h2>
<p class="muted">${countNeeds(reads)}. ${meaningOfNeeds(reads)}</p>
${openNeeds(reads).map((row) => card(row.verdict === 'missing' ? 'bad' : 'unsure', row.verdict, html`<p class="wrap">${needText(row)}</p>`))}`
}

/** Renders the open questions with this deployment's answers, first those that differ from the reference. */
function gapsPart({ gaps, differing }: RunView): Html {
  const sorted = [...differing, ...gaps.filter(({ sameAsOurs }) => sameAsOurs)]
  const silent = gapIds.filter((id) => !gaps.some((answer) => answer.id === id))
  return html`<h2 id="questions">Open questions answered</h2>
<p class="muted">The interface document leaves these questions open, so no answer is wrong. But a client that was built on the mock may not expect
the differences. ${count(gaps.length, 'answer')}, ${differing.length} different from the reference.</p>
${sorted.map(({ id, observed, sameAsOurs }) => {
  const { question, choice, section } = gap(id)
  return card(sameAsOurs ? 'good' : 'unsure', sameAsOurs ? 'same' : 'different', html`<p>${prose(question)}</p>`, {
    'This deployment': observed,
    'The reference': prose(choice),
    'Left open by': html`${sectionTitle(section)} <code>${id}</code>`,
  })
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
function locatedPart({ findings }: RunView): Html {
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
function leftBehindPart({ leftBehind, runId }: RunView): Html {
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
function baselinePart({ baseline: { expected, unexpectedPasses, expired } }: RunView): Html | undefined {
  const passed = unexpectedPasses.filter((entry) => !expired.includes(entry))
  if (expected.length + passed.length + expired.length === 0) return
  const cards = (entries: readonly BaselineEntry[], tone: Tone, now: string) =>
    entries.map(({ check, owner, reason, expires }) =>
      card(tone, now, html`<p>${checkLink(check)}</p>`, { Owner: owner, Reason: reason, Expires: expires }),
    )
  return html`<h2 id="known">Known failures</h2>
<p class="muted">The baseline lists these failures. Remove the entries of checks that pass, and fix those that have expired.</p>
${cards(expired, 'bad', 'expired')}${cards(passed, 'bad', 'passes')}${cards(expected, 'unsure', 'fails')}
`
}

/** Renders the time by kind, and the slowest checks. */
function timePart({ durationMs, requests, checks }: RunView): Html {
  const { sent, sentAgain, answeringMs, waitingMs } = requests
  const again = sentAgain ? `, ${sentAgain} of them sent again after 429, 502, 503 or 504` : ''
  const slowest = checks.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 5)
  const table = (caption: string, rows: readonly (readonly [name: string | Html, ms: number])[]) =>
    html`<table><caption>${caption}</caption>
<tbody>${rows.map(([name, ms]) => html`<tr><td>${name}</td><td class="number">${duration(ms)}</td></tr>\n`)}</tbody></table>`
  return html`<h2 id="time">Where the time went</h2>
${table(`${duration(durationMs)} in all, ${count(sent, 'request')}${again}`, [
  ['Waiting for answers', answeringMs],
  ['Pauses between requests, to limit the rate', waitingMs],
  ['The suite itself', Math.max(0, durationMs - answeringMs - waitingMs)],
])}
${
  slowest.length > 0
    ? table(
        'The slowest checks',
        slowest.map((check) => [checkLink(check.id), check.durationMs]),
      )
    : undefined
}
`
}
