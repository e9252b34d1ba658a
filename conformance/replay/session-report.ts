/** The reports of replays and comparisons: rows with an outcome, and the exchanges that show it. */
import { exchangeDetails } from '../report/html-exchanges.ts'
import { style } from '../report/html-style.ts'
import { Html, html, staticHead } from '../report/html-text.ts'
import { jsonText } from '../report/json.ts'
import { xmlAttributes, xmlText } from '../report/junit.ts'
import type { SessionReportKind } from '../report/kinds.ts'
import { count, duration } from '../report/tally.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import type { ExchangeRecord } from '../wire/record.ts'
import type { ReplayVerdict } from './result.ts'

/** A call of a session, or a difference. */
export interface ReportRow {
  readonly name: string
  readonly outcome: 'same' | 'different' | 'undecided'
  /** The outcome in the words of the command. */
  readonly word: string
  readonly text?: string
  /** True if a front end reads what differs. Such rows come first. */
  readonly isRead?: true
  /** All calls with the difference, if there are several. The exchanges are those of the first. */
  readonly calls?: readonly string[]
  readonly exchanges: readonly { readonly label: string; readonly record: ExchangeRecord }[]
}

export interface SessionReport {
  /** The name of the command. */
  readonly command: 'replay' | 'compare'
  /** The two sides of the comparison, without a full stop. */
  readonly subject: string
  readonly verdict: ReplayVerdict
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly rows: readonly ReportRow[]
  readonly notes: readonly string[]
  /** Further members of the JSON report. */
  readonly details: object
}

const tones = { same: 'good', different: 'bad', undecided: 'unsure', 'could-not-run': 'broken' } as const
const codes = { same: 32, different: 31, undecided: 33, 'could-not-run': 35 } as const

const meanings: Readonly<Record<SessionReport['command'], Readonly<Record<ReplayVerdict, string>>>> = {
  replay: {
    same: 'Each call was accepted or refused as in the recording.',
    different: 'The calls with another outcome than in the recording are listed with the reason.',
    undecided: 'Not every call could be compared with the recording.',
    'could-not-run': 'It was stopped before its end.',
  },
  compare: {
    same: 'Nothing differs.',
    different: 'The differences are listed, those of meaning first.',
    undecided: 'Not enough could be compared to say whether they are the same.',
    'could-not-run': 'It was stopped before its end.',
  },
}

/** The kinds of reports of a session, with their files. */
export const sessionWriters = {
  json: {
    file: 'report.json',
    write: ({ rows: _, ...report }: SessionReport) => jsonText({ schemaVersion: 1, ...report }),
  },
  junit: { file: 'junit.xml', write: junitOf },
  html: { file: 'report.html', write: htmlOf },
} satisfies Record<SessionReportKind, { file: string; write: (report: SessionReport) => string }>

const paint = (text: string, verdict: ReplayVerdict, colour: boolean) =>
  colour ? `\x1b[${codes[verdict]}m${text}\x1b[0m` : text

/** Formats a row for a terminal. */
export function rowLine({ name, outcome, word, text }: ReportRow, colour: boolean): string {
  return `${paint(word.padEnd(10), outcome, colour)} ${showHidden(truncate(name, 200))}${text === undefined ? '' : `: ${showHidden(text)}`}`
}

/** Formats the end of a replay or a comparison for a terminal. */
export function summaryLines(
  { command, subject, verdict, durationMs, rows, notes }: SessionReport,
  colour: boolean,
): string {
  const counts = [...new Set(rows.map(({ word }) => word))].map(
    (word) => `${rows.filter((row) => row.word === word).length} ${word}`,
  )
  return [
    ...notes.map((note) => `Note: ${showHidden(note)}`),
    `${showHidden(subject)}: ${paint(verdict, verdict, colour)}${counts.length > 0 ? ` (${counts.join(', ')})` : ''} in ${duration(durationMs)}. ${meanings[command][verdict]}`,
  ].join('\n')
}

function junitOf({ command, subject, startedAt, durationMs, rows, notes }: SessionReport): string {
  const of = (outcome: ReportRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const time = (durationMs / 1000).toFixed(3)
  const sums = xmlAttributes({ tests: rows.length, failures: of('different'), errors: 0 })
  const testcase = ({ name, outcome, text = '' }: ReportRow) => {
    const start = `    <testcase${xmlAttributes({ name, classname: `countersign.${command}`, time: '0.000' })}`
    if (outcome === 'same') return `${start}/>`
    const tag = outcome === 'different' ? 'failure' : 'skipped'
    const type = outcome === 'different' ? xmlAttributes({ type: 'difference' }) : ''
    return `${start}>\n      <${tag}${type}${xmlAttributes({ message: text })}>${xmlText(text)}</${tag}>\n    </testcase>`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="countersign ${command}"${sums} time="${time}">
  <testsuite name="${command}"${sums} skipped="${of('undecided')}"${xmlAttributes({ time, timestamp: startedAt.slice(0, 19) })}>
    <properties>
      <property name="subject"${xmlAttributes({ value: subject })}/>${notes.map((note) => `\n      <property name="note"${xmlAttributes({ value: note })}/>`).join('')}
    </properties>
${rows.map(testcase).join('\n')}
  </testsuite>
</testsuites>
`
}

function htmlOf({ command, subject, verdict, startedAt, durationMs, rows, notes }: SessionReport): string {
  const shown = rows.toSorted((a, b) => Number(a.outcome === 'same') - Number(b.outcome === 'same'))
  let place = 0
  const page = html`<!doctype html>
<html lang="en">
<head>
${staticHead}
<meta name="referrer" content="no-referrer">
<title>${verdict}: ${command} of ${subject}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>${command === 'replay' ? 'Replay' : 'Comparison'} of a session</h1>
<div class="banner ${tones[verdict]}"><strong>${verdict}</strong>${meanings[command][verdict]}</div>
<ul class="facts">
<li class="wrap">${subject}</li>
<li><time datetime="${startedAt}">${startedAt.replace('T', ' ').slice(0, 16)} UTC</time></li>
<li>${duration(durationMs)}, ${count(rows.length, command === 'replay' ? 'call' : 'row')}</li>
</ul>
</header>
<main>
${notes.length > 0 ? html`<h2>Notes</h2><ul class="wrap">${notes.map((note) => html`<li>${note}</li>`)}</ul>` : undefined}
<h2>${command === 'replay' ? 'Calls' : 'Differences'}</h2>
${shown.length === 0 ? html`<p>There are none.</p>` : undefined}
${shown.map(
  ({ name, outcome, word, text, calls, exchanges }) => html`<div class="card ${tones[outcome]}">
<div class="question"><span class="badge">${word}</span> <p class="wrap">${name}</p></div>
${text === undefined ? undefined : html`<p class="wrap">${text}</p>`}
${calls && html`<p class="wrap">In ${calls.join(', ')}.</p>`}
${exchanges.map(({ label, record }) => {
  place += 1
  return html`<p class="label">${label}</p>${exchangeDetails(record, place - 1)}`
})}
</div>
`,
)}
</main>
<footer><p>Generated by countersign ${command}. report.json has the same for machines.</p></footer>
</body>
</html>
`
  return page.text
}
