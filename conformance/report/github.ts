import { gap } from '../catalogue/catalogue.ts'
import { noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import { meaning } from './advice.ts'
import { describeAlike } from './alike.ts'
import { particularsLine } from './particulars.ts'
import type { RunResult } from './result.ts'
import { sectionTitle, sourceLine } from './sections.ts'
import { count, duration } from './tally.ts'
import { type CheckView, countsOf, viewOfRun } from './view.ts'

/** The limit for all rows, in bytes. GitHub drops summaries of more than 1 MiB per step. */
const maxBytes = 256 * 1024

/** Writes a Markdown summary of a run for GitHub's page of the workflow run. */
export function githubSummary(result: RunResult, baseline = noBaseline): string {
  const view = viewOfRun(result, baseline)
  const { url, verdict, durationMs, leftBehind, notes, differing, reads } = view
  const { sent, sentAgain = 0 } = view.requests
  const rows = view.single
    .filter((check) => check.verdict !== 'pass' && check.verdict !== 'accepted')
    .sort((a, b) => a.rank - b.rank)
    .map((check) => {
      const { id, standing, section, provenance, message } = check
      const told = [plain(message), plain(particularsLine(check) ?? '', 900)].filter(Boolean).join(' ')
      const said = standing === 'warning' ? 'warn' : standing
      return `| ${said} | \`${id}\` | ${plain(sectionTitle(section))} | ${provenance} | ${told} |`
    })
  const questions = differing.map(({ id, observed }) => {
    const { question, choice } = gap(id)
    return `| ${plain(question)} | ${plain(observed)} | ${plain(choice)} |`
  })
  const needs = reads ? openNeeds(reads).map((row) => `| ${row.verdict} | ${plain(needText(row))} |`) : []
  const parts = [
    `## ${verdict}: ${plain(url)}`,
    plain(meaning(view)),
    `${countsOf(view).join(', ')}; ${duration(durationMs)}, ${count(sent, 'request')}${sentAgain > 0 ? `, ${sentAgain} of them sent again` : ''}.`,
    notes.map((note) => `- ${plain(note)}`).join('\n'),
    table(['Verdict', 'Check', 'Section', 'Provenance', 'Message'], rows),
    view.alike.map((alike) => `- ${alike.verdict}: ${plain(describeAlike(alike))}`).join('\n'),
    questions.length > 0
      ? `<details><summary>${count(questions.length, 'open question')} answered differently from the reference</summary>\n\n${table(['Question', 'Here', 'The reference'], questions)}\n\n</details>`
      : '',
    reads ? `### What the front end reads\n\n${plain(`${countNeeds(reads)}. ${meaningOfNeeds(reads)}`)}` : '',
    table(['Need', 'Place'], needs),
    leftBehind.length > 0 ? `${count(leftBehind.length, 'item')} left behind; report.json lists them.` : '',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n\n`
}

/** GitHub shows at most ten errors and ten warnings of a step. */
const mostAnnotations = 10

/** Returns the commands that make GitHub annotate a run: with errors if it does not conform, and with warnings. */
export function githubAnnotations(result: RunResult, baseline = noBaseline): string {
  const view = viewOfRun(result, baseline)
  const { checks, verdict, reads } = view
  const of = (kind: 'error' | 'warning', some: readonly CheckView[]) =>
    some.map((check) => {
      const particulars = particularsLine(check)
      const stale = check.standing === 'fail' && check.stale
      const told = [check.message, particulars && `${particulars}.`, stale, sourceLine(check)]
      return annotation(kind, check.id, told.filter(Boolean).join(' '))
    })
  const open = view.single.filter((check) => binds(check) && check.verdict === 'inconclusive')
  const reasons = [
    ...of(
      'error',
      checks.filter(({ standing }) => standing === 'fail'),
    ),
    ...checks
      .filter(({ stale, standing }) => stale !== '' && standing !== 'fail')
      .map((check) => annotation('error', check.id, check.stale)),
    ...(verdict === 'undecided' ? of('error', open) : []),
  ]
  const errors =
    reasons.length > 0 || verdict === 'conforming' ? reasons : [annotation('error', verdict, meaning(view))]
  const needs = (reads ? openNeeds(reads) : [])
    .filter((row) => row.verdict === 'missing')
    .map((row) => annotation('error', 'What the front end reads', needText(row)))
  const mild = checks.filter((check) => check.verdict === 'fail' && !binds(check))
  return [[...errors, ...needs], of('warning', mild)].flatMap((all) => all.slice(0, mostAnnotations)).join('')
}

/** Returns the command that makes GitHub annotate a run with a text, on one line. */
export function annotation(kind: 'error' | 'warning', title: string, text: string): string {
  return `::${kind} title=${command(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${command(text)}\n`
}

/** Escapes text for a command of GitHub's runner, on one line. */
function command(text: string): string {
  return truncate(showHidden(text), 2000).replaceAll('%', '%25')
}

function table(heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return ''
  const kept: string[] = []
  let left = maxBytes / 2
  for (const row of rows) {
    left -= Buffer.byteLength(row)
    if (left < 0) break
    kept.push(row)
  }
  const rest = rows.length - kept.length
  return [
    `| ${heads.join(' | ')} |`,
    `|${' --- |'.repeat(heads.length)}`,
    ...kept,
    ...(rest > 0 ? [`\nAnd ${rest} more; report.json lists them.`] : []),
  ].join('\n')
}

/**
 * Escapes a text for Markdown. Punctuation becomes entities, which have no meaning in Markdown. This also
 * prevents mentions and automatic links.
 */
function plain(text: string, longest = 400): string {
  return truncate(showHidden(text), longest).replaceAll(/[!-/:-@[-`{-~]/g, (found) =>
    /[,'()-]/.test(found) ? found : `&#${found.charCodeAt(0)};`,
  )
}
