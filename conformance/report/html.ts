import { noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, verdicts } from '../judging/verdict.ts'
import { meaning } from './advice.ts'
import { requirementsPart, type Tone, tones } from './html-checks.ts'
import { exchangesPart } from './html-exchanges.ts'
import { advicePart, baselinePart, gapsPart, leftBehindPart, locatedPart, timePart } from './html-parts.ts'
import { style } from './html-style.ts'
import { Html, html, staticHead } from './html-text.ts'
import type { RunResult } from './result.ts'
import { count, duration, tally } from './tally.ts'

const runTones: Readonly<Record<RunVerdict, Tone>> = {
  conforming: 'good',
  nonconforming: 'bad',
  undecided: 'unsure',
  'could-not-run': 'broken',
}

/** `report.html`: one page for a person, without script and without anything from elsewhere. */
export function htmlReport(result: RunResult, baseline = noBaseline): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
${staticHead}
<meta name="referrer" content="no-referrer">
<title>${result.verdict}: conformance of ${result.url}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>Conformance report</h1>
<div class="banner ${runTones[result.verdict]}"><strong>${result.verdict}</strong>${meaning(result, baseline)}</div>
${factsPart(result)}
${countsPart(result)}
<nav aria-label="Parts of the report"><ul>
<li><a href="#next">What to do next</a></li>
<li><a href="#requirements">Requirements</a></li>
<li><a href="#questions">Open questions</a></li>
<li><a href="#located">Located</a></li>
<li><a href="#left">Left behind</a></li>
<li><a href="#time">Time</a></li>
<li><a href="#requests">Every request</a></li>
</ul></nav>
</header>
<main>
${advicePart(result, baseline)}
${baselinePart(baseline)}
${requirementsPart(result, baseline)}
${gapsPart(result)}
${locatedPart(result)}
${leftBehindPart(result)}
${timePart(result)}
${exchangesPart(result)}
</main>
<footer><p>Made by countersign conformance. The same run for machines: report.json.</p></footer>
</body>
</html>
`
  return page.text
}

function factsPart({ url, runId, startedAt, durationMs, requests }: RunResult): Html {
  const minute = startedAt.replace('T', ' ').slice(0, 16)
  return html`<ul class="facts">
<li class="wrap">${url}</li>
<li><time datetime="${startedAt}">${minute} UTC</time></li>
<li>${duration(durationMs)}, ${count(requests.sent, 'request')}</li>
<li>run ${runId}</li>
</ul>`
}

function countsPart({ checks }: RunResult): Html {
  const counts = tally(checks)
  const warnings = checks.filter((check) => check.verdict === 'fail' && !binds(check)).length
  // What passes first: a reader compares everything else with it.
  const order = [...verdicts].sort((a, b) => Number(b === 'pass') - Number(a === 'pass'))
  const items = order.flatMap((verdict) => {
    const own = { tone: tones[verdict], word: verdict, number: counts[verdict] }
    if (verdict !== 'fail') return [own]
    return [
      { ...own, number: own.number - warnings },
      { tone: 'unsure' as const, word: 'warning', number: warnings },
    ]
  })
  return html`<ul class="counts">${items.map(
    ({ tone, word, number }) => html`<li class="${tone}${number === 0 ? ' zero' : ''}"><b>${number}</b>${word}</li>\n`,
  )}</ul>`
}
