import { gap } from '../catalogue/catalogue.ts'
import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { showHidden } from '../wire/inert.ts'
import { meaning } from './advice.ts'
import { describeAlike } from './alike.ts'
import { findingText, groundSentence, particularsLine } from './particulars.ts'
import type { CheckResult, RunResult } from './result.ts'
import { sectionName, sourceLine } from './sections.ts'
import { count, duration } from './tally.ts'
import { type CheckView, checkView, countsOf, type RunView, tones, viewOfRun } from './view.ts'

/** Select Graphic Rendition codes (ECMA-48). */
const codes = { broken: 35, bad: 31, unsure: 33, neutral: 2, good: 32 } as const

/** Colours an outcome for a terminal. */
export function paint(outcome: keyof typeof tones, colour: boolean, text: string = outcome): string {
  return colour ? `\x1b[${codes[tones[outcome]]}m${text}\x1b[0m` : text
}

/**
 * Formats a check in one line. A failed one has lines for its particulars and for the source of the requirement. Failures that do
 * not bind are warnings here, although report.json calls them failures, and those of the baseline are known.
 */
export function checkLine(check: CheckResult, colour = false, baseline = noBaseline): string {
  return lineOf(checkView(check, baseline), colour)
}

function lineOf(check: CheckView, colour: boolean): string {
  const { id, section, provenance, verdict, standing, known, flaky, message } = check
  const word = paint(standing, colour, (standing === 'warning' ? 'warn' : standing).padEnd(14))
  const mild = verdict === 'fail' && !binds(check) ? `, ${provenance}` : ''
  const start = `${word} ${id} (${showHidden(sectionName(section))}${mild})`
  if (verdict === 'pass') return start
  const more = [
    particularsLine(check),
    verdict === 'fail' ? sourceLine(check) : undefined,
    known && `Known until ${known.expires} (${known.owner}): ${known.reason}`,
  ]
  return [
    `${start}: ${showHidden(message)}${flaky ? ' Flaky: its attempts disagreed.' : ''}`,
    ...more.flatMap((line) => (line ? `${' '.repeat(15)}${showHidden(line)}` : [])),
  ].join('\n')
}

export interface SummaryOptions {
  readonly baseline?: BaselineOutcome
  /** Paths of the reports that were written. */
  readonly files?: readonly string[]
  readonly colour?: boolean
  /** True to print each finding with its rule, and each failure with its ground. @default false */
  readonly verbose?: boolean
}

/**
 * Formats the end of a run: found values, open questions, items left behind and reports, then the checks that did not pass, the worst
 * last, and the verdict.
 */
export function summary(
  result: RunResult,
  { baseline = noBaseline, files = [], colour = false, verbose = false }: SummaryOptions = {},
): string {
  const view = viewOfRun(result, baseline)
  const { url, verdict, durationMs, checks, gaps, leftBehind, located, findings, notes, reads } = view
  const { sentAgain = 0 } = view.requests
  const lines = [
    ...(verbose
      ? [
          ...findings.map((one) => `Found ${findingText(one, `${one.strength}: ${one.rule}`)}.`),
          ...checks.flatMap((one) => (one.ground ? `${one.verdict} ${one.id}: ${groundSentence(one)}` : [])),
        ]
      : Object.entries(located).map(foundLine)),
    `${count(gaps.length, 'open question')} answered, ${view.differing.length} different from the reference.`,
    ...view.differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    ...(leftBehind.length > 0 ? [`${count(leftBehind.length, 'item')} left behind; the report lists them.`] : []),
    ...(sentAgain > 0 ? [`${count(sentAgain, 'request')} sent again after 429, 502, 503 or 504.`] : []),
    ...(reads
      ? [
          `What the front end reads: ${countNeeds(reads)}.`,
          ...openNeeds(reads).map((row) => `  ${row.verdict.padEnd(10)} ${needText(row)}`),
        ]
      : []),
    ...notes.map((note) => (note.startsWith('Warning: ') ? note : `Note: ${note}`)),
    ...files.map((file) => `Report: ${file}`),
  ]
  const open = view.single.filter((check) => check.verdict !== 'pass').sort((a, b) => b.rank - a.rank)
  const verdictWords =
    verdict === 'could-not-run' ? paint(verdict, colour, 'could not be judged') : `is ${paint(verdict, colour)}`
  // Inherited rules have checks too, so this counts more than the facts of the next line.
  const counts = `${count(checks.length, 'check')} in ${duration(durationMs)}: ${countsOf(view).join(', ')}`
  const parts = [
    lines.map(showHidden),
    [
      ...open.map((check) => lineOf(check, colour)),
      ...view.alike.map((alike) => showHidden(`${alike.verdict.padEnd(14)} ${describeAlike(alike)}`)),
    ],
    [
      `${subjectOf(url)} ${verdictWords}. ${counts}.`,
      ...[meaning(view), ...causeLine(view)].map(showHidden),
      ...(reads ? [meaningOfNeeds(reads)] : []),
    ],
  ]
  return parts.flatMap((part, index) => (index > 0 && part.length > 0 ? ['', ...part] : part)).join('\n')
}

/** Returns the name of what was checked. No deployment is under `.invalid` (RFC 6761). */
const subjectOf = (url: string) => (url === 'http://reference.invalid' ? 'The built-in reference' : showHidden(url))

/** Returns the place of a finding, in the form of a locator in a profile. */
function foundLine([name, place]: readonly [string, string]): string {
  const pointer = place.replace(/^confirm(?=\/)/, '')
  return pointer.startsWith('/')
    ? `Found ${name} at ${pointer}.`
    : `${name} was read from ${/^[A-Z]/.test(pointer) ? `the ${pointer} header` : pointer}. A profile can only name places in the body.`
}

/** Returns what blocks most checks. It is the last line, because people read that first. */
function causeLine({ checks, alike }: RunView): string[] {
  const first = alike.find(({ cause }) => cause !== undefined)
  const cause = checks.find(({ id }) => id === first?.cause)
  if (!first || !cause) return []
  const waiting = `${count(first.checks.length, 'check')} ${first.checks.length === 1 ? 'waits' : 'wait'}`
  return [`The cause is ${cause.id}, for which ${waiting}: ${cause.message}`]
}
