import { gap, requirement } from '../catalogue/catalogue.ts'
import { noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, type Verdict, verdicts } from '../judging/verdict.ts'
import { inert } from '../wire/inert.ts'
import { meaning } from './advice.ts'
import type { CheckResult, RunResult } from './result.ts'
import { sectionName, source } from './sections.ts'
import { count, duration, tally } from './tally.ts'

/** Select Graphic Rendition codes (ECMA-48). */
const colours: Readonly<Record<Verdict | RunVerdict, number>> = {
  'harness-error': 35,
  fail: 31,
  inconclusive: 33,
  blocked: 33,
  'not-run': 2,
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

/** A check in one line, or two where it fails: what passed is brief, and what failed says whose word it broke. */
export function checkLine(check: CheckResult, colour = false): string {
  const { id, section, provenance, verdict, flaky, message } = check
  const word = painted(verdict, colour, verdict.padEnd(14))
  if (verdict === 'pass') return `${word} ${id} (${inert(sectionName(section))})`
  const mild = verdict === 'fail' && !binds(check) ? `, ${provenance}: a warning` : ''
  const line = `${word} ${id} (${inert(sectionName(section))}${mild}): ${inert(message)}${flaky ? ' Flaky: its tries disagreed.' : ''}`
  return verdict === 'fail' ? `${line}\n${' '.repeat(15)}${inert(source(check))}: ${requirement(id).fact}` : line
}

/** The end of a run: answers to open questions, what stays, and the verdict; then where the reports are. */
export function summary(
  result: RunResult,
  { baseline = noBaseline, files = [], colour = false }: SummaryOptions = {},
): string {
  const { url, verdict, durationMs, checks, gaps, leftBehind, located, notes } = result
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const counts = tally(checks)
  const found = verdicts.filter((each) => counts[each] > 0).map((each) => `${counts[each]} ${each}`)
  const lines = [
    '',
    ...Object.entries(located).map(([name, pointer]) => `Found ${name} at ${pointer}.`),
    `${count(gaps.length, 'open question')} answered, ${differing.length} unlike the reference.`,
    ...differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    leftBehind.length > 0 ? `${count(leftBehind.length, 'thing')} left behind; the report lists them.` : undefined,
    baseline.expected.length > 0 ? `${count(baseline.expected.length, 'failure')} known to the baseline.` : undefined,
    ...notes.map((note) => `Note: ${note}`),
    ...files.map((file) => `Report: ${file}`),
  ]
  const said = lines.filter((line) => line !== undefined).map(inert)
  const end = `${inert(url)} is ${painted(verdict, colour)}: ${found.join(', ')} in ${duration(durationMs)}.`
  return [...said, end, meaning(result, baseline)].join('\n')
}

interface SummaryOptions {
  readonly baseline?: Parameters<typeof meaning>[1]
  /** Paths of the reports that were written. */
  readonly files?: readonly string[]
  readonly colour?: boolean
}
