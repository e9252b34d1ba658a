import { gap, requirement } from '../catalogue/catalogue.ts'
import { noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, type Verdict } from '../judging/verdict.ts'
import type { Finding } from '../reading/finding.ts'
import { showHidden } from '../wire/inert.ts'
import { meaning } from './advice.ts'
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

/** Colours a verdict for a terminal. */
export function paint(verdict: Verdict | RunVerdict, colour: boolean, text: string = verdict): string {
  return colour ? `\x1b[${colours[verdict]}m${text}\x1b[0m` : text
}

/** Formats a check in one line; a failed one in two, with the source of the requirement. */
export function checkLine(check: CheckResult, colour = false): string {
  const { id, section, provenance, verdict, flaky, message } = check
  // A failure that does not bind is shown as a warning. In report.json it is 'fail'.
  const isWarning = verdict === 'fail' && !binds(check)
  const word = paint(isWarning ? 'inconclusive' : verdict, colour, (isWarning ? 'warn' : verdict).padEnd(14))
  if (verdict === 'pass') return `${word} ${id} (${showHidden(sectionName(section))})`
  const mild = isWarning ? `, ${provenance}` : ''
  const line = `${word} ${id} (${showHidden(sectionName(section))}${mild}): ${showHidden(message)}${flaky ? ' Flaky: its attempts disagreed.' : ''}`
  return verdict === 'fail' ? `${line}\n${' '.repeat(15)}${showHidden(source(check))}: ${requirement(id).fact}` : line
}

/** Formats the end of a run: found values, open questions, objects left behind, reports, and the verdict. */
export function summary(
  result: RunResult,
  { baseline = noBaseline, files = [], colour = false, verbose = false }: SummaryOptions = {},
): string {
  const { url, verdict, durationMs, checks, gaps, leftBehind, located, findings, notes } = result
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const found = countsOf(checks)
  const lines = [
    '',
    ...(verbose
      ? findings.map(findingLine)
      : Object.entries(located).map(([name, pointer]) => `Found ${name} at ${pointer}.`)),
    `${count(gaps.length, 'open question')} answered, ${differing.length} different from the reference.`,
    ...differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    leftBehind.length > 0 ? `${count(leftBehind.length, 'object')} left behind; the report lists them.` : undefined,
    baseline.expected.length > 0 ? `${count(baseline.expected.length, 'failure')} known to the baseline.` : undefined,
    ...notes.map((note) => `Note: ${note}`),
    ...files.map((file) => `Report: ${file}`),
  ]
  const said = lines.filter((line) => line !== undefined).map(showHidden)
  const end = `${showHidden(url)} is ${paint(verdict, colour)}: ${found.join(', ')} in ${duration(durationMs)}.`
  return [...said, end, meaning(result, baseline)].join('\n')
}

interface SummaryOptions {
  readonly baseline?: Parameters<typeof meaning>[1]
  /** Paths of the reports that were written. */
  readonly files?: readonly string[]
  readonly colour?: boolean
  /** Whether each finding is printed with its rule. @default false */
  readonly verbose?: boolean
}

function findingLine({ what, answer, place, rule, strength, rejected }: Finding): string {
  const others = rejected.length > 0 ? `; rejected: ${rejected.join('; ')}` : ''
  return `Found ${what} at ${answer === undefined ? '' : `${answer} `}${place} (${strength}: ${rule}${others}).`
}
