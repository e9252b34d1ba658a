import { gap } from '../catalogue/catalogue.ts'
import { noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import { breaks, meaning, staleEntry, worstFirst } from './advice.ts'
import { alikeChecks, describeAlike, sharedReason } from './alike.ts'
import { particularsLine } from './particulars.ts'
import type { CheckResult, RunResult } from './result.ts'
import { sectionTitle, sourceLine } from './sections.ts'
import { count, countsOf, duration } from './tally.ts'

/** The limit for all rows, in bytes. GitHub drops summaries of more than 1 MiB per step. */
const maxBytes = 256 * 1024

/** Writes a Markdown summary of a run for GitHub's page of the workflow run. */
export function githubSummary(result: RunResult, baseline = noBaseline): string {
  const { url, verdict, durationMs, checks, gaps, leftBehind, notes } = result
  const found = countsOf(checks, baseline)
  const { sent, sentAgain = 0 } = result.requests
  const rows = checks
    .filter((check) => check.verdict !== 'pass' && check.verdict !== 'accepted' && sharedReason(check) === undefined)
    .sort(worstFirst(baseline))
    .map(({ verdict: word, id, section, provenance, level, message, ...more }) => {
      const known = baseline.expected.some((entry) => entry.check === id) ? ' (known)' : ''
      const told = [plain(message), plain(particularsLine({ message, ...more }) ?? '', 900)].filter(Boolean).join(' ')
      const said = word === 'fail' && !binds({ provenance, level }) ? 'warn' : word
      return `| ${said}${known} | \`${id}\` | ${plain(sectionTitle(section))} | ${provenance} | ${told} |`
    })
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const questions = differing.map(({ id, observed }) => {
    const { question, choice } = gap(id)
    return `| ${plain(question)} | ${plain(observed)} | ${plain(choice)} |`
  })
  const { reads } = result
  const needs = reads ? openNeeds(reads).map((row) => `| ${row.verdict} | ${plain(needText(row))} |`) : []
  const parts = [
    `## ${verdict}: ${plain(url)}`,
    plain(meaning(result, baseline)),
    `${found.join(', ')}; ${duration(durationMs)}, ${count(sent, 'request')}${sentAgain > 0 ? `, ${sentAgain} of them sent again` : ''}.`,
    notes.map((note) => `- ${plain(note)}`).join('\n'),
    table(['Verdict', 'Check', 'Section', 'Provenance', 'Message'], rows),
    alikeChecks(checks)
      .map((alike) => `- ${alike.verdict}: ${plain(describeAlike(alike))}`)
      .join('\n'),
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
  const { checks, verdict } = result
  const of = (kind: 'error' | 'warning', some: readonly CheckResult[]) =>
    some.map(({ id, message, ...more }) => {
      const particulars = particularsLine({ message, ...more })
      const told = particulars ? `${message} ${particulars}.` : message
      return annotation(kind, id, `${told} ${sourceLine(more)}`)
    })
  const broken = checks.filter((check) => breaks(check, baseline))
  const open = checks.filter(
    (check) => binds(check) && check.verdict === 'inconclusive' && sharedReason(check) === undefined,
  )
  const stale = [...baseline.expired, ...baseline.unexpectedPasses].filter(
    ({ check }) => !broken.some(({ id }) => id === check),
  )
  const reasons = [
    ...of('error', broken),
    ...stale.map(({ check }) => annotation('error', check, staleEntry(check, baseline))),
    ...(verdict === 'undecided' ? of('error', open) : []),
  ]
  const errors =
    reasons.length > 0 || verdict === 'conforming' ? reasons : [annotation('error', verdict, meaning(result, baseline))]
  const { reads } = result
  const missing = reads ? openNeeds(reads).filter((row) => row.verdict === 'missing') : []
  const needs = missing.map((row) => annotation('error', 'What the front end reads', needText(row)))
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
