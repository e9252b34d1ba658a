import { gap } from '../catalogue/catalogue.ts'
import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, type Verdict } from '../judging/verdict.ts'
import type { Finding } from '../reading/finding.ts'
import { countNeeds, meaningOfNeeds, needText, openNeeds } from '../reads/needs-text.ts'
import { showHidden } from '../wire/inert.ts'
import { meaning, worstFirst } from './advice.ts'
import { alikeChecks, describeAlike, sharedReason } from './alike.ts'
import { groundSentence } from './ground.ts'
import { particularsLine } from './particulars.ts'
import type { CheckResult, RunResult } from './result.ts'
import { sectionName, sourceLine } from './sections.ts'
import { count, countsOf, duration } from './tally.ts'

/** Select Graphic Rendition codes (ECMA-48). */
const colours: Readonly<Record<Verdict | RunVerdict, number>> = {
  'harness-error': 35,
  fail: 31,
  inconclusive: 33,
  blocked: 33,
  'not-run': 2,
  accepted: 32,
  pass: 32,
  'not-applicable': 2,
  conforming: 32,
  nonconforming: 31,
  undecided: 33,
  'could-not-run': 35,
}

/** Colours a verdict for a terminal. */
export function paint(verdict: Verdict | RunVerdict, colour: boolean, text: string = verdict): string {
  return colour ? `\x1b[${colours[verdict]}m${text}\x1b[0m` : text
}

/**
 * Formats a check in one line. A failed one has lines for its particulars and for the source of the requirement. Failures that do
 * not bind are warnings here, although report.json calls them failures, and those of the baseline are known.
 */
export function checkLine(check: CheckResult, colour = false, baseline = noBaseline): string {
  const { id, section, provenance, verdict, flaky, message } = check
  const isWarning = verdict === 'fail' && !binds(check)
  const known = baseline.expected.find((entry) => entry.check === id)
  const said = known ? 'known' : isWarning ? 'warn' : verdict
  const word = paint(known || isWarning ? 'inconclusive' : verdict, colour, said.padEnd(14))
  if (verdict === 'pass') return `${word} ${id} (${showHidden(sectionName(section))})`
  const mild = isWarning ? `, ${provenance}` : ''
  const first = `${word} ${id} (${showHidden(sectionName(section))}${mild}): ${showHidden(message)}${flaky ? ' Flaky: its attempts disagreed.' : ''}`
  const more = [
    particularsLine(check),
    verdict === 'fail' ? sourceLine(check) : undefined,
    known && `Known until ${known.expires} (${known.owner}): ${known.reason}`,
  ]
  return [first, ...more.flatMap((line) => (line ? `${' '.repeat(15)}${showHidden(line)}` : []))].join('\n')
}

/** Returns the ground of a failure, or of an inconclusive result that was nearly one. */
function groundLine({ id, verdict, ground }: CheckResult): string[] {
  return ground ? [`${verdict} ${id}: ${groundSentence(ground)}`] : []
}

/**
 * Formats the end of a run: found values, open questions, items left behind and reports, then the checks that did not pass, the worst
 * last, and the verdict.
 */
export function summary(
  result: RunResult,
  { baseline = noBaseline, files = [], colour = false, verbose = false }: SummaryOptions = {},
): string {
  const { url, verdict, durationMs, checks, gaps, leftBehind, located, findings, notes, requests } = result
  const { sentAgain = 0 } = requests
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const found = countsOf(checks, baseline)
  const lines = [
    ...(verbose
      ? [...findings.map(findingLine), ...checks.flatMap(groundLine)]
      : Object.entries(located).map(foundLine)),
    `${count(gaps.length, 'open question')} answered, ${differing.length} different from the reference.`,
    ...differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    leftBehind.length > 0 ? `${count(leftBehind.length, 'item')} left behind; the report lists them.` : undefined,
    sentAgain > 0 ? `${count(sentAgain, 'request')} sent again after 429, 502, 503 or 504.` : undefined,
    ...needLines(result),
    ...notes.map((note) => (note.startsWith('Warning: ') ? note : `Note: ${note}`)),
    ...files.map((file) => `Report: ${file}`),
  ]
  const said = lines.filter((line) => line !== undefined).map(showHidden)
  const isJudged = verdict !== 'could-not-run'
  const verdictWords = isJudged ? `is ${paint(verdict, colour)}` : paint(verdict, colour, 'could not be judged')
  // Inherited rules have checks too, so this counts more than the facts of the next line.
  const counts = `${count(checks.length, 'check')} in ${duration(durationMs)}: ${found.join(', ')}`
  const end = `${subjectOf(url)} ${verdictWords}. ${counts}.`
  const needs = result.reads ? [meaningOfNeeds(result.reads)] : []
  const open = [...openLines(checks, colour, baseline), ...alikeLines(result).map(showHidden)]
  const parts = [said, open, [end, showHidden(meaning(result, baseline)), ...causeLine(result), ...needs]]
  return parts.flatMap((part, index) => (index > 0 && part.length > 0 ? ['', ...part] : part)).join('\n')
}

/** Returns the name of what was checked. No deployment is under `.invalid` (RFC 6761). */
const subjectOf = (url: string) => (url === 'http://reference.invalid' ? 'The built-in reference' : showHidden(url))

/** Returns what the front end reads and the deployment does not give, or does not show. */
function needLines({ reads }: RunResult): string[] {
  if (!reads) return []
  const open = openNeeds(reads).map((row) => `  ${row.verdict.padEnd(10)} ${needText(row)}`)
  return [`What the front end reads: ${countNeeds(reads)}.`, ...open]
}

/** Returns the place of a finding, in the form of a locator in a profile. */
function foundLine([name, place]: readonly [string, string]): string {
  const pointer = place.replace(/^confirm(?=\/)/, '')
  return pointer.startsWith('/')
    ? `Found ${name} at ${pointer}.`
    : `${name} was read from ${/^[A-Z]/.test(pointer) ? `the ${pointer} header` : pointer}. A profile can only name places in the body.`
}

/** Returns the checks that did not pass and share no reason with others, the worst last, next to the verdict. */
function openLines(checks: readonly CheckResult[], colour: boolean, baseline: BaselineOutcome): string[] {
  const order = worstFirst(baseline)
  return checks
    .filter((check) => check.verdict !== 'pass' && sharedReason(check) === undefined)
    .sort((a, b) => order(b, a))
    .map((check) => checkLine(check, colour, baseline))
}

/** Returns the checks that share a reason, in one line for each. */
function alikeLines({ checks }: RunResult): string[] {
  return alikeChecks(checks).map((alike) => `${alike.verdict.padEnd(14)} ${describeAlike(alike)}`)
}

/** Returns what blocks most checks. It is the last line, because people read that first. */
function causeLine({ checks }: RunResult): string[] {
  const first = alikeChecks(checks).find(({ cause }) => cause !== undefined)
  const cause = checks.find(({ id }) => id === first?.cause)
  if (!first || !cause) return []
  const waiting = `${count(first.checks.length, 'check')} ${first.checks.length === 1 ? 'waits' : 'wait'}`
  return [showHidden(`The cause is ${cause.id}, for which ${waiting}: ${cause.message}`)]
}

export interface SummaryOptions {
  readonly baseline?: BaselineOutcome
  /** Paths of the reports that were written. */
  readonly files?: readonly string[]
  readonly colour?: boolean
  /** True to print each finding with its rule, and each failure with its ground. @default false */
  readonly verbose?: boolean
}

function findingLine({ what, answer, place, rule, strength, rejected }: Finding): string {
  const others = rejected.length > 0 ? `; rejected: ${rejected.join('; ')}` : ''
  return `Found ${what} at ${answer === undefined ? '' : `${answer} `}${place} (${strength}: ${rule}${others}).`
}
