import { gap, requirement } from '../catalogue/catalogue.ts'
import { noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, type Verdict } from '../judging/verdict.ts'
import type { Finding } from '../reading/finding.ts'
import { inert } from '../wire/inert.ts'
import { meaning } from './advice.ts'
import { groundSentence } from './ground.ts'
import type { CheckResult, RunResult } from './result.ts'
import { sectionName, source } from './sections.ts'
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

/** A verdict as a terminal shows it. */
export function painted(verdict: Verdict | RunVerdict, colour: boolean, text: string = verdict): string {
  return colour ? `\x1b[${colours[verdict]}m${text}\x1b[0m` : text
}

/** The word for what a check came to. A failure that does not bind is a warning, whatever it is called in report.json. */
export function wordOf(check: CheckResult): string {
  return check.verdict === 'fail' && !binds(check) ? 'warn' : check.verdict
}

/** A check in one line, or two where it fails: what passed is brief, and what failed says whose word it broke. */
export function checkLine(check: CheckResult, colour = false): string {
  const { id, section, provenance, verdict, flaky, message } = check
  const isWarning = wordOf(check) === 'warn'
  const word = painted(isWarning ? 'inconclusive' : verdict, colour, wordOf(check).padEnd(14))
  if (verdict === 'pass') return `${word} ${id} (${inert(sectionName(section))})`
  const mild = isWarning ? `, ${provenance}` : ''
  const line = `${word} ${id} (${inert(sectionName(section))}${mild}): ${inert(message)}${flaky ? ' Flaky: its tries disagreed.' : ''}`
  return verdict === 'fail' ? `${line}\n${' '.repeat(15)}${inert(source(check))}: ${requirement(id).fact}` : line
}

/** What a verdict rests on that is a failure, or might have been one. */
function groundLine({ id, verdict, ground }: CheckResult): string[] {
  return ground ? [`${verdict} ${id}: ${groundSentence(ground)}`] : []
}

/** The end of a run: answers to open questions, what stays, and the verdict; then where the reports are. */
export function summary(
  result: RunResult,
  { baseline = noBaseline, files = [], colour = false, verbose = false }: SummaryOptions = {},
): string {
  const { url, verdict, durationMs, checks, gaps, leftBehind, located, findings, notes, requests } = result
  const { sentAgain = 0 } = requests
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const found = countsOf(checks)
  const lines = [
    ...blockedLines(result),
    '',
    ...(verbose
      ? [...findings.map(findingLine), ...checks.flatMap(groundLine)]
      : Object.entries(located).map(foundLine)),
    `${count(gaps.length, 'open question')} answered, ${differing.length} unlike the reference.`,
    ...differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    leftBehind.length > 0 ? `${count(leftBehind.length, 'thing')} left behind; the report lists them.` : undefined,
    sentAgain > 0 ? `${count(sentAgain, 'request')} sent again after 429, 502, 503 or 504.` : undefined,
    baseline.expected.length > 0 ? `${count(baseline.expected.length, 'failure')} known to the baseline.` : undefined,
    ...notes.map((note) => `Note: ${note}`),
    ...files.map((file) => `Report: ${file}`),
  ]
  const said = lines.filter((line) => line !== undefined).map(inert)
  const end = `${inert(url)} is ${painted(verdict, colour)}: ${found.join(', ')} in ${duration(durationMs)}.`
  return [...said, end, inert(meaning(result, baseline)), ...causeLine(result)].join('\n')
}

/** Where something was found, as a locator of a profile would say it. */
function foundLine([name, place]: readonly [string, string]): string {
  const pointer = place.replace(/^confirm(?=\/)/, '')
  return pointer.startsWith('/')
    ? `Found ${name} at ${pointer}.`
    : `Found ${name} in ${pointer}, which no locator can name.`
}

/** The checks that wait for others, in one line for each cause. */
function blockedLines({ checks }: RunResult): string[] {
  return causesOf(checks).map(([cause, waiting]) => {
    const names = waiting.length > 3 ? 'report.json lists them' : waiting.map(({ id }) => id).join(', ')
    return `${'blocked'.padEnd(14)} ${count(waiting.length, 'check')} by ${cause} (${names})`
  })
}

/** What most of the blocked checks wait for: the last line, where everybody looks first. */
function causeLine({ checks }: RunResult): string[] {
  const [first] = causesOf(checks)
  const cause = checks.find(({ id }) => id === first?.[0])
  if (!first || !cause) return []
  return [
    inert(
      `The cause is ${cause.id}, for which ${count(first[1].length, 'check')} ${first[1].length === 1 ? 'waits' : 'wait'}: ${cause.message}`,
    ),
  ]
}

/** The checks that others wait for, with those that do; first what holds up the most. */
function causesOf(checks: readonly CheckResult[]): [string, CheckResult[]][] {
  const waiting = new Map<string, CheckResult[]>()
  for (const check of checks) {
    if (check.verdict !== 'blocked' || !check.blockedBy) continue
    waiting.set(check.blockedBy, [...(waiting.get(check.blockedBy) ?? []), check])
  }
  return [...waiting].sort(([, a], [, b]) => b.length - a.length)
}

interface SummaryOptions {
  readonly baseline?: Parameters<typeof meaning>[1]
  /** Paths of the reports that were written. */
  readonly files?: readonly string[]
  readonly colour?: boolean
  /** Whether each finding is printed with its rule, and each failure with its ground. @default false */
  readonly verbose?: boolean
}

function findingLine({ what, answer, place, rule, strength, rejected }: Finding): string {
  const others = rejected.length > 0 ? `; not taken: ${rejected.join('; ')}` : ''
  return `Found ${what} at ${answer === undefined ? '' : `${answer} `}${place} (${strength}: ${rule}${others}).`
}
