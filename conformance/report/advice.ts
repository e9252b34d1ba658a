import type { RequirementId } from '../catalogue/catalogue.ts'
import { type BaselineOutcome, noBaseline } from '../judging/baseline.ts'
import { binds, type Verdict } from '../judging/verdict.ts'
import type { CheckResult, RunResult } from './result.ts'
import { count } from './tally.ts'

/** Something to do, and the checks that it is about. */
export interface Suggestion {
  readonly text: string
  readonly checks: readonly RequirementId[]
}

/** Whether a check's failure makes the deployment nonconforming: it binds, and the baseline does not excuse it. */
export function breaks(check: CheckResult, { expected }: BaselineOutcome = noBaseline): boolean {
  return check.verdict === 'fail' && binds(check) && !expected.some((entry) => entry.check === check.id)
}

/** The verdict of a run as a sentence. */
export function meaning({ verdict, checks, stopped }: RunResult, baseline = noBaseline): string {
  if (stopped !== undefined) return `${stopped} What is reported is what was known by then, and no verdict.`
  const broken = checks.filter((check) => breaks(check, baseline)).length
  const of = (wanted: Verdict) => checks.filter((check) => binds(check) && check.verdict === wanted).length
  const [verified, accepted] = [of('pass'), of('accepted')]
  const excused = baseline.expected.length ? `, apart from ${count(baseline.expected.length, 'known failure')}` : ''
  switch (verdict) {
    case 'conforming':
      return accepted > 0
        ? `Nothing documented is broken${excused}: ${count(verified, 'fact')} verified, ${accepted} accepted and not shown.`
        : `Every documented fact that a client can observe was verified${excused}.`
    case 'nonconforming':
      return broken > 0
        ? `${count(broken, 'documented fact')} ${broken === 1 ? 'is' : 'are'} broken.`
        : staleness(baseline)
    case 'undecided':
      return `Nothing documented was seen broken${excused}, but not everything could be decided.`
    case 'could-not-run':
      return 'The suite itself broke, so this run says nothing about the deployment.'
    default:
      throw new Error(`unknown verdict: ${verdict satisfies never}`)
  }
}

function staleness({ unexpectedPasses, expired }: BaselineOutcome): string {
  const ended = expired.length > 0 ? `${count(expired.length, 'entry', 'entries')} of the baseline expired` : ''
  const passed =
    unexpectedPasses.length > 0 ? `${count(unexpectedPasses.length, 'known failure')} of the baseline passed` : ''
  return `${[ended, passed].filter(Boolean).join(', and ')}, so the baseline is out of date.`
}

/** What to do next, the most urgent first; never empty. */
export function advice(result: RunResult, baseline = noBaseline): Suggestion[] {
  const { checks, gaps, leftBehind, runId } = result
  const those = (test: (check: CheckResult) => boolean) => checks.filter(test).map(({ id }) => id)
  const broken = those((check) => breaks(check, baseline))
  // What holds up most of the others comes first: to repair it decides the most.
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
      'Report the errors of the suite: they are faults of ours.',
    ),
    entry(broken, broken.length > 1 ? 'Repair what is broken; the first holds up the most.' : 'Repair what is broken.'),
    entry(
      baseline.expired.map(({ check }) => check),
      'Repair what the expired entries of the baseline excused and remove them, or agree on another date.',
    ),
    entry(stale, 'Remove the entries of the baseline whose checks pass.'),
    entry(undecided, 'Find out why these could not be decided; each says what it saw.'),
    entry(blocked, `Then run again: ${count(blocked.length, 'check')} waited for others.`),
    entry(notRun, 'Run without the options that switched checks off: only a whole run is a verdict.'),
    entry(known, 'Repair the known failures before their entries expire.'),
    entry(warned, 'Consider the warnings: a standard or a recommendation says otherwise.'),
    {
      when: differing,
      text: `Tell who builds on the mock: ${count(differing, 'open question')} ${differing === 1 ? 'is' : 'are'} answered differently here.`,
      checks: [],
    },
    {
      when: leftBehind.length,
      text: `Remove what the run left behind if it is in the way: ${count(leftBehind.length, 'thing')} of run ${runId}.`,
      checks: [],
    },
  ]
  const due = all.filter(({ when }) => when > 0).map(({ text, checks }) => ({ text, checks }))
  return due.length > 0 ? due : [{ text: 'Nothing. Run it again after the next release.', checks: [] }]
}

function entry(checks: readonly RequirementId[], text: string) {
  return { when: checks.length, text, checks }
}

function waiting(checks: readonly CheckResult[], id: RequirementId): number {
  return checks.filter(({ blockedBy }) => blockedBy === id).length
}
