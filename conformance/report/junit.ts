import { requirement } from '../catalogue/catalogue.ts'
import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import { escapeMarkup, showHiddenInLines, truncate } from '../wire/inert.ts'
import { breaks, meaning, staleEntry } from './advice.ts'
import { labelledParticulars } from './particulars.ts'
import type { CheckResult, ExchangeRecord, RunResult } from './result.ts'
import { source } from './sections.ts'

interface Case {
  readonly area: string
  readonly name: string
  readonly durationMs: number
  /** Absent if the check passed. */
  readonly outcome?: { readonly tag: 'failure' | 'error' | 'skipped'; readonly type: string; readonly message: string }
  /** Details beside the message. */
  readonly text?: string
  /** The exchanges that led to the verdict. */
  readonly seen?: string
}

/**
 * Writes `junit.xml`, in the dialect that CI systems share: `testsuites`, one `testsuite` per area, `testcase`. It is
 * green if and only if the deployment conforms.
 */
export function junitReport(result: RunResult, baseline = noBaseline): string {
  const cases = result.checks.map((check) => caseOf(check, baseline, result))
  const red = cases.some(({ outcome }) => outcome?.tag === 'failure' || outcome?.tag === 'error')
  // CI systems show a file of skipped tests as green, but an undecided run must not be green.
  if ((!red && result.verdict !== 'conforming') || result.stopped !== undefined) cases.push(wholeRun(result, baseline))
  const areas = [...new Set(cases.map(({ area }) => area))]
  const suites = areas.map((area, place) => suite(area, cases, place === 0 ? result : { ...result, notes: [] }))
  const totals = `tests="${cases.length}" ${sums(cases)} time="${seconds(result.durationMs)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="countersign conformance" ${totals}>
${suites.join('\n')}
</testsuites>
`
}

function caseOf(check: CheckResult, baseline: BaselineOutcome, { exchanges }: RunResult): Case {
  const { id, verdict, message, flaky, durationMs } = check
  const [area = id] = id.split('.')
  const base = { area, name: id, durationMs }
  const said = flaky ? `${message} (flaky: its attempts disagreed)` : message
  const particulars = labelledParticulars(check).map(([label, value]) => `\n${label}: ${value}`)
  const text = `${said}${particulars.join('')}\n${source(check)}: ${requirement(id).fact}`
  const ended = (tag: 'failure' | 'error' | 'skipped', type: string, why = said): Case => {
    const seen = tag === 'skipped' ? '' : exchangesOf(check, exchanges)
    return { ...base, outcome: { tag, type, message: why }, text, ...(seen && { seen }) }
  }
  const known = baseline.expected.find((entry) => entry.check === id)
  if (known) return ended('skipped', 'known-failure', `Known until ${known.expires} (${known.owner}): ${known.reason}`)
  const stale = staleEntry(id, baseline)
  if (stale && verdict !== 'fail') {
    const isExpired = baseline.expired.some((entry) => entry.check === id)
    return ended('failure', isExpired ? 'expired-baseline-entry' : 'unexpected-pass', stale)
  }
  switch (verdict) {
    case 'fail':
      return breaks(check)
        ? ended('failure', verdict, [said, stale].filter(Boolean).join(' '))
        : { ...base, text: [`Warning: ${text}`, exchangesOf(check, exchanges)].filter(Boolean).join('\n\n') }
    case 'harness-error':
      return ended('error', verdict)
    case 'inconclusive':
      // CI systems show `skipped` as green or not at all, so a binding check that could not decide is an `error`.
      return ended(binds(check) ? 'error' : 'skipped', verdict)
    case 'blocked':
    case 'not-run':
    case 'not-applicable':
      return ended('skipped', verdict)
    case 'accepted':
      return { ...base, text: `Accepted but not shown: ${text}` }
    case 'pass':
      return base
    default:
      throw new Error(`unknown verdict: ${verdict satisfies never}`)
  }
}

function wholeRun(result: RunResult, baseline: BaselineOutcome): Case {
  const message = meaning(result, baseline)
  return { area: 'run', name: 'run.verdict', durationMs: 0, outcome: { tag: 'error', type: result.verdict, message } }
}

function suite(area: string, all: readonly Case[], { url, runId, startedAt, notes }: RunResult): string {
  const cases = all.filter((each) => each.area === area)
  const skipped = cases.filter(({ outcome }) => outcome?.tag === 'skipped').length
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0))
  // The dialect's schemas have no time zone. The time is in UTC.
  const when = startedAt.slice(0, 19)
  return `  <testsuite${attributes({ name: area, tests: cases.length })} ${sums(cases)} skipped="${skipped}"${attributes({ time, timestamp: when })}>
    <properties>
      <property name="url"${attributes({ value: url })}/>
      <property name="run"${attributes({ value: runId })}/>${notes.map((note) => `\n      <property name="note"${attributes({ value: note })}/>`).join('')}
    </properties>
${cases.map(testcase).join('\n')}
  </testsuite>`
}

/** The number of exchanges written with a check, and of characters of a body. */
const mostExchanges = 3
const longestBody = 2000

/** Formats exchanges that a check examined: first the one that the failure is about, then the latest of the others. */
function exchangesOf(check: CheckResult, exchanges: RunResult['exchanges']): string {
  const first = check.exchange === undefined ? [] : [check.exchange]
  const others = check.exchanges.filter((place) => place !== check.exchange).slice(first.length - mostExchanges)
  const seen = [...first, ...others].flatMap((place) => {
    const exchange = exchanges[place]
    return exchange ? [textOf(exchange, place)] : []
  })
  return seen.join('\n\n')
}

function textOf({ method, url, requestBody, status, responseBody, failure }: ExchangeRecord, place: number): string {
  const answer = status === undefined ? `got no answer: ${failure ?? 'unknown'}` : `answered ${status}`
  return [
    `Request ${place} of report.json: ${method} ${url} ${answer}`,
    ...(requestBody === undefined ? [] : [`Sent: ${truncate(requestBody, longestBody)}`]),
    ...(responseBody === '' ? [] : [`Answered: ${truncate(responseBody, longestBody)}`]),
  ].join('\n')
}

function testcase({ area, name, durationMs, outcome, text = '', seen = '' }: Case): string {
  const start = `    <testcase${attributes({ name, classname: `countersign.${area}`, time: seconds(durationMs) })}`
  if (outcome) {
    const { tag, type, message } = outcome
    // Repeat the message in the text, since some readers show only the attribute and others only the text.
    return `${start}>\n      <${tag}${attributes({ type, message })}>${xml(text || message)}</${tag}>${seen && `\n      <system-out>${xml(seen)}</system-out>`}\n    </testcase>`
  }
  return text ? `${start}>\n      <system-out>${xml(text)}</system-out>\n    </testcase>` : `${start}/>`
}

function sums(cases: readonly Case[]): string {
  const of = (tag: string) => cases.filter(({ outcome }) => outcome?.tag === tag).length
  return `failures="${of('failure')}" errors="${of('error')}"`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('')
}

/** Escapes a text for XML 1.0. `inertLines` replaces the characters that XML forbids even as entities. */
function xml(text: string): string {
  return escapeMarkup(showHiddenInLines(text))
}
