/** What every form of a report shows of a run: what each check counts as, and which checks share a reason. */
import { type BaselineEntry, type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds, type RunVerdict, type Verdict, verdicts } from '../judging/verdict.ts'
import { type AlikeChecks, alikeChecks } from './alike.ts'
import type { CheckResult, RunResult } from './result.ts'
import { count } from './tally.ts'

/** What checks count as, the worst first. Failures that the baseline knows, and those that do not bind, break nothing. */
export const standings = verdicts.flatMap((verdict) =>
  verdict === 'fail' ? ([verdict, 'known', 'warning'] as const) : [verdict],
)

type Standing = Verdict | 'known' | 'warning'

/** A check, as reports show it. */
export interface CheckView extends CheckResult {
  readonly standing: Standing
  /** Orders the checks: those that make the deployment nonconforming first, then by verdict. */
  readonly rank: number
  /** The entry of the baseline that expects the failure. */
  readonly known: BaselineEntry | undefined
  /** Why its entry of the baseline fails the run; empty if none does. */
  readonly stale: string
}

/** A run, as reports show it. */
export interface RunView extends RunResult {
  readonly checks: readonly CheckView[]
  /** The checks that share a reason, and those that share none. */
  readonly alike: readonly AlikeChecks[]
  readonly single: readonly CheckView[]
  /** The open questions that the deployment answers in another way than the reference. */
  readonly differing: RunResult['gaps']
  readonly baseline: BaselineOutcome
}

/** The meaning of a colour. */
export type Tone = 'good' | 'bad' | 'unsure' | 'neutral' | 'broken'

/** The colour of each outcome. The word is always shown beside it. */
export const tones: Readonly<Record<Standing | RunVerdict, Tone>> = {
  'harness-error': 'broken',
  fail: 'bad',
  known: 'unsure',
  warning: 'unsure',
  inconclusive: 'unsure',
  blocked: 'unsure',
  'not-run': 'neutral',
  accepted: 'good',
  pass: 'good',
  'not-applicable': 'neutral',
  conforming: 'good',
  nonconforming: 'bad',
  undecided: 'unsure',
  'could-not-run': 'broken',
}

/** Returns a run as reports show it. */
export function viewOfRun(result: RunResult, baseline = noBaseline): RunView {
  const checks = result.checks.map((check) => checkView(check, baseline))
  const alike = alikeChecks(checks)
  const single = checks.filter((check) => alike.every((one) => !one.checks.includes(check)))
  const differing = result.gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  return { ...result, checks, alike, single, differing, baseline }
}

/** Returns a check as reports show it. */
export function checkView(check: CheckResult, { expected, unexpectedPasses, expired } = noBaseline): CheckView {
  const { id, verdict } = check
  const entryIn = (entries: readonly BaselineEntry[]) => entries.find((entry) => entry.check === id)
  const [known, ended] = [entryIn(expected), entryIn(expired)]
  const standing = verdict !== 'fail' ? verdict : known ? 'known' : binds(check) ? verdict : 'warning'
  const stale = ended
    ? `Its entry of the baseline expired on ${ended.expires} (owner: ${ended.owner}). Fix the deployment and remove the entry, or agree on a later date.`
    : entryIn(unexpectedPasses)
      ? 'The check passes, but the baseline lists it as a known failure. Remove its entry.'
      : ''
  return { ...check, standing, rank: standing === 'fail' ? -1 : verdicts.indexOf(verdict), known, stale }
}

/** Longer words for some standings. */
const shownAs: Partial<Record<Standing, string>> = { pass: 'verified', accepted: 'accepted but not shown' }

/** Describes the number of checks of each standing. */
export function countsOf({ checks }: RunView): string[] {
  return standings.flatMap((standing) => {
    const number = checks.filter((check) => check.standing === standing).length
    if (number === 0) return []
    if (standing === 'known') return [count(number, 'known failure')]
    return [standing === 'warning' ? count(number, standing) : `${number} ${shownAs[standing] ?? standing}`]
  })
}
