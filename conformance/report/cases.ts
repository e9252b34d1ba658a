import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import type { Need } from '../reads/needs.ts'
import { firstOf, nameOfPlace } from '../reads/needs-text.ts'
import { truncate } from '../wire/inert.ts'
import { breaks, meaning, staleEntry } from './advice.ts'
import { labelledParticulars } from './particulars.ts'
import type { CheckResult, ExchangeRecord, RunResult } from './result.ts'
import { sourceLine } from './sections.ts'

/** A check as a test case, for the reports that CI systems read as test results. */
export interface Case {
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
 * Returns the checks of a run as test cases, and the places that a front end reads. One of them fails or is an error unless the
 * deployment conforms and gives what is read, so that a report of test cases is green if and only if it does.
 */
export function casesOf(result: RunResult, baseline = noBaseline): Case[] {
  const cases = result.checks.map((check) => caseOf(check, baseline, result))
  const red = cases.some(({ outcome }) => outcome?.tag === 'failure' || outcome?.tag === 'error')
  // CI systems show a report of skipped tests as green, but an undecided run must not be green.
  if ((!red && result.verdict !== 'conforming') || result.stopped !== undefined) cases.push(wholeRun(result, baseline))
  return [...cases, ...(result.reads?.needs ?? []).map((need) => caseOfNeed(need, result))]
}

function caseOfNeed(need: Need, { reads, exchanges }: RunResult): Case {
  const { verdict, message, tests } = need
  const base = { area: 'reads', name: nameOfPlace(need), durationMs: 0 }
  if (verdict === 'given') return base
  const tag = verdict === 'missing' ? 'failure' : reads?.verdict === 'undecided' ? 'error' : 'skipped'
  const text = [
    message,
    ...(tests.length > 0 ? [`Read by ${firstOf(tests, 10)}.`] : []),
    'This is a need of the front end, and no fault against the document.',
  ]
  const [first] = need.exchanges.flatMap((place) => (exchanges[place] ? [textOf(exchanges[place], place)] : []))
  return {
    ...base,
    outcome: { tag, type: verdict, message },
    text: text.join('\n'),
    ...(tag === 'failure' && first && { seen: first }),
  }
}

function caseOf(check: CheckResult, baseline: BaselineOutcome, { exchanges }: RunResult): Case {
  const { id, verdict, message, flaky, durationMs } = check
  const [area = id] = id.split('.')
  const base = { area, name: id, durationMs }
  const said = flaky ? `${message} (flaky: its attempts disagreed)` : message
  const particulars = labelledParticulars(check).map(([label, value]) => `\n${label}: ${value}`)
  const text = `${said}${particulars.join('')}\n${sourceLine(check)}`
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

/** The number of exchanges written with a check, and of characters of a body. */
const mostExchanges = 3
const longestBody = 2000

/** Formats exchanges that a check examined: first the exchange that caused the failure, then the latest others. */
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
