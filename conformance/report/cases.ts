import { noBaseline } from '../judging/baseline.ts'
import { binds } from '../judging/verdict.ts'
import type { Need } from '../reads/needs.ts'
import { firstOf, nameOfPlace } from '../reads/needs-text.ts'
import { truncate } from '../wire/inert.ts'
import { meaning } from './advice.ts'
import { labelledParticulars } from './particulars.ts'
import type { ExchangeRecord, RunResult } from './result.ts'
import { sourceLine } from './sections.ts'
import { type CheckView, type RunView, viewOfRun } from './view.ts'

type Tag = 'failure' | 'error' | 'skipped'

/** A check as a test case, for the reports that CI systems read as test results. */
export interface Case {
  readonly area: string
  readonly name: string
  readonly durationMs: number
  /** Absent if the check passed. */
  readonly outcome?: { readonly tag: Tag; readonly type: string; readonly message: string }
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
  const view = viewOfRun(result, baseline)
  const { verdict, stopped, reads } = view
  const cases = view.checks.map((check) => caseOf(check, view))
  const red = cases.some(({ outcome }) => outcome?.tag === 'failure' || outcome?.tag === 'error')
  // CI systems show a report of skipped tests as green, but an undecided run must not be green.
  if ((!red && verdict !== 'conforming') || stopped !== undefined) {
    const outcome = { tag: 'error', type: verdict, message: meaning(view) } as const
    cases.push({ area: 'run', name: 'run.verdict', durationMs: 0, outcome })
  }
  return [...cases, ...(reads?.needs ?? []).map((need) => caseOfNeed(need, view))]
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

/** The tag of a check that counts as this; none if it passes. */
const tags: Readonly<Partial<Record<CheckView['standing'], Tag>>> = {
  'harness-error': 'error',
  fail: 'failure',
  known: 'skipped',
  // CI systems show `skipped` as green or not at all, so a binding check that could not decide is an `error`.
  inconclusive: 'error',
  blocked: 'skipped',
  'not-run': 'skipped',
  'not-applicable': 'skipped',
}

function caseOf(check: CheckView, { exchanges, baseline }: RunView): Case {
  const { id, verdict, standing, known, stale, flaky, durationMs } = check
  const [area = id] = id.split('.')
  const base = { area, name: id, durationMs }
  const said = flaky ? `${check.message} (flaky: its attempts disagreed)` : check.message
  const particulars = labelledParticulars(check).map(([label, value]) => `\n${label}: ${value}`)
  const text = `${said}${particulars.join('')}\n${sourceLine(check)}`
  const isStale = stale !== '' && verdict !== 'fail'
  const own = standing === 'inconclusive' && !binds(check) ? 'skipped' : tags[standing]
  const tag = isStale ? 'failure' : own
  if (standing === 'pass' && !tag) return base
  if (standing === 'accepted' && !tag) return { ...base, text: `Accepted but not shown: ${text}` }
  const seen = tag === 'skipped' ? '' : exchangesOf(check, exchanges)
  if (!tag) return { ...base, text: [`Warning: ${text}`, seen].filter(Boolean).join('\n\n') }
  const isExpired = baseline.expired.some((entry) => entry.check === id)
  const type = known ? 'known-failure' : !isStale ? verdict : isExpired ? 'expired-baseline-entry' : 'unexpected-pass'
  const message = known
    ? `Known until ${known.expires} (${known.owner}): ${known.reason}`
    : isStale
      ? stale
      : [said, stale].filter(Boolean).join(' ')
  return { ...base, outcome: { tag, type, message }, text, ...(seen && { seen }) }
}

/** The number of exchanges written with a check, and of characters of a body. */
const mostExchanges = 3
const longestBody = 2000

/** Formats exchanges that a check examined: first the exchange that caused the failure, then the latest others. */
function exchangesOf(check: CheckView, exchanges: RunResult['exchanges']): string {
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
