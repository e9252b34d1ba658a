import type { RequirementId } from '../catalogue/catalogue.ts'
import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds, type Verdict, verdicts } from '../judging/verdict.ts'
import type { CheckResult, RunResult } from './result.ts'
import { count } from './tally.ts'

/** A suggestion, with the checks that it concerns. */
export interface Suggestion {
  readonly text: string
  readonly checks: readonly RequirementId[]
}

/** Returns true if a check's failure makes the deployment nonconforming: it binds, and is not a known failure. */
export function breaks(check: CheckResult, { expected }: BaselineOutcome = noBaseline): boolean {
  return check.verdict === 'fail' && binds(check) && !expected.some((entry) => entry.check === check.id)
}

/** Orders checks: those that make the deployment nonconforming first, then by verdict. */
export function worstFirst(baseline?: BaselineOutcome): (a: CheckResult, b: CheckResult) => number {
  const rank = (check: CheckResult) => (breaks(check, baseline) ? -1 : verdicts.indexOf(check.verdict))
  return (a, b) => rank(a) - rank(b)
}

/** Explains the verdict of a run in a sentence. */
export function meaning({ verdict, checks, stopped }: RunResult, baseline = noBaseline): string {
  if (stopped !== undefined) return `${stopped} The report has the results up to then, and no verdict.`
  const broken = checks.filter((check) => breaks(check, baseline)).length
  const of = (wanted: Verdict) => checks.filter((check) => binds(check) && check.verdict === wanted).length
  const [verified, accepted] = [of('pass'), of('accepted')]
  const excused = baseline.expected.length ? `, apart from ${count(baseline.expected.length, 'known failure')}` : ''
  switch (verdict) {
    case 'conforming':
      return accepted > 0
        ? `No documented fact is broken${excused}: ${count(verified, 'fact')} verified, ${accepted} accepted but not shown.`
        : `Every documented fact that a client can observe was verified${excused}.`
    case 'nonconforming':
      return [
        broken > 0 ? `${count(broken, 'documented fact')} ${broken === 1 ? 'is' : 'are'} broken.` : '',
        staleness(baseline),
      ]
        .filter(Boolean)
        .join(' ')
    case 'undecided':
      return `No documented fact was found broken${excused}, but not all facts could be decided.`
    case 'could-not-run':
      return 'The suite itself failed, so this run has no verdict about the deployment.'
    default:
      throw new Error(`unknown verdict: ${verdict satisfies never}`)
  }
}

/** Explains why an entry of the baseline fails the run. Returns an empty text if it does not. */
export function staleEntry(id: RequirementId, { expired, unexpectedPasses }: BaselineOutcome): string {
  const entry = expired.find(({ check }) => check === id)
  if (entry) {
    return `Its entry of the baseline expired on ${entry.expires} (owner: ${entry.owner}). Fix the deployment and remove the entry, or agree on a later date.`
  }
  return unexpectedPasses.some(({ check }) => check === id)
    ? 'The check passes, but the baseline lists it as a known failure. Remove its entry.'
    : ''
}

function staleness({ unexpectedPasses, expired }: BaselineOutcome): string {
  const ended = expired.length > 0 ? `${count(expired.length, 'entry', 'entries')} of the baseline expired` : ''
  const passed =
    unexpectedPasses.length > 0 ? `${count(unexpectedPasses.length, 'known failure')} of the baseline passed` : ''
  const reasons = [ended, passed].filter(Boolean).join(', and ')
  return reasons && `${reasons}, so the baseline is out of date.`
}

/** Suggests what to do next, the most urgent first. Never empty. */
export function advice(result: RunResult, baseline = noBaseline): Suggestion[] {
  const { checks, gaps, leftBehind, runId } = result
  const those = (test: (check: CheckResult) => boolean) => checks.filter(test).map(({ id }) => id)
  const broken = those((check) => breaks(check, baseline))
  // First the failure that blocks the most other checks.
  broken.sort((a, b) => waiting(checks, b) - waiting(checks, a))
  const undecided = those((check) => binds(check) && check.verdict === 'inconclusive')
  const blocked = those((check) => binds(check) && check.verdict === 'blocked')
  const notRun = those((check) => binds(check) && check.verdict === 'not-run')
  const warned = those((check) => check.verdict === 'fail' && !binds(check) && check.provenance !== 'assumed')
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs).length
  const known = baseline.expected.map(({ check }) => check)
  const stale = baseline.unexpectedPasses.map(({ check }) => check)
  const all: readonly (Suggestion & { readonly when: number })[] = [
    entry(
      those(({ verdict }) => verdict === 'harness-error'),
      'Report the errors of the suite. They are bugs of the suite, not of the deployment.',
    ),
    entry(
      broken,
      broken.length > 1 ? 'Fix the broken facts. The first one blocks the most checks.' : 'Fix the broken fact.',
    ),
    entry(
      baseline.expired.map(({ check }) => check),
      'Fix the failures in the expired entries of the baseline and remove the entries, or agree on a later date.',
    ),
    entry(stale, 'Remove the entries of the baseline whose checks pass.'),
    entry(undecided, 'Find out why these checks could not decide. Each message says what is missing.'),
    entry(
      blocked,
      `Then run again: ${count(blocked.length, 'check')} ${blocked.length === 1 ? 'was' : 'were'} blocked by others.`,
    ),
    entry(notRun, 'Run all checks. Only a complete run gives a verdict.'),
    entry(known, 'Fix the known failures before their entries expire.'),
    entry(warned, 'Consider the warnings. The deployment deviates from a standard or a recommendation.'),
    {
      when: differing,
      text: `Tell users of the mock that this deployment answers ${count(differing, 'open question')} differently.`,
      checks: [],
    },
    {
      when: leftBehind.length,
      text: `If needed, remove the ${count(leftBehind.length, 'item')} that run ${runId} left behind.`,
      checks: [],
    },
  ]
  const due = all.filter(({ when }) => when > 0).map(({ text, checks }) => ({ text, checks }))
  return due.length > 0 ? due : [{ text: 'Nothing. Run the suite again after the next release.', checks: [] }]
}

function entry(checks: readonly RequirementId[], text: string) {
  return { when: checks.length, text, checks }
}

function waiting(checks: readonly CheckResult[], id: RequirementId): number {
  return checks.filter(({ blockedBy }) => blockedBy === id).length
}
