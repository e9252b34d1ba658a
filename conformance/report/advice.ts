import type { RequirementId } from '../catalogue/catalogue.ts'
import { binds, type Verdict } from '../judging/verdict.ts'
import { count } from './tally.ts'
import type { CheckView, RunView } from './view.ts'

/** Explains the verdict of a run in a sentence. */
export function meaning({ verdict, checks, stopped, baseline }: RunView): string {
  if (stopped !== undefined) return `${stopped} The report has the results up to then, and no verdict.`
  const { expected, expired, unexpectedPasses } = baseline
  const of = (wanted: Verdict) => checks.filter((check) => binds(check) && check.verdict === wanted).length
  const excused = expected.length > 0 ? `, apart from ${count(expected.length, 'known failure')}` : ''
  const [verified, accepted] = [of('pass'), of('accepted')]
  switch (verdict) {
    case 'conforming':
      return accepted > 0
        ? `No documented fact is broken${excused}: ${count(verified, 'fact')} verified, ${accepted} accepted but not shown.`
        : `Every documented fact that a client can observe was verified${excused}.`
    case 'nonconforming': {
      const broken = checks.filter(({ standing }) => standing === 'fail').length
      const stale = [
        expired.length > 0 ? `${count(expired.length, 'entry', 'entries')} of the baseline expired` : '',
        unexpectedPasses.length > 0 ? `${count(unexpectedPasses.length, 'known failure')} of the baseline passed` : '',
      ].filter(Boolean)
      return [
        ...(broken > 0 ? [`${count(broken, 'documented fact')} ${broken === 1 ? 'is' : 'are'} broken.`] : []),
        ...(stale.length > 0 ? [`${stale.join(', and ')}, so the baseline is out of date.`] : []),
      ].join(' ')
    }
    case 'undecided':
      return `No documented fact was found broken${excused}, but not all facts could be decided.`
    case 'could-not-run':
      return 'The suite itself failed, so this run has no verdict about the deployment.'
    default:
      throw new Error(`unknown verdict: ${verdict satisfies never}`)
  }
}

/** Suggests what to do next, each with the checks that it concerns, the most urgent first. Never empty. */
export function advice({ checks, differing, leftBehind, runId, baseline }: RunView) {
  const those = (test: (check: CheckView) => boolean) => checks.filter(test).map(({ id }) => id)
  const open = (verdict: Verdict) => those((check) => binds(check) && check.verdict === verdict)
  const listed = (entries: RunView['baseline']['expired']) => entries.map(({ check }) => check)
  const waiting = (id: RequirementId) => checks.filter(({ blockedBy }) => blockedBy === id).length
  // First the failure that blocks the most other checks.
  const broken = those(({ standing }) => standing === 'fail').sort((a, b) => waiting(b) - waiting(a))
  const blocked = open('blocked')
  const all: readonly [checks: readonly RequirementId[], text: string, number?: number][] = [
    [
      those(({ verdict }) => verdict === 'harness-error'),
      'Report the errors of the suite. They are bugs of the suite, not of the deployment.',
    ],
    [
      broken,
      broken.length > 1 ? 'Fix the broken facts. The first one blocks the most checks.' : 'Fix the broken fact.',
    ],
    [
      listed(baseline.expired),
      'Fix the failures in the expired entries of the baseline and remove the entries, or agree on a later date.',
    ],
    [listed(baseline.unexpectedPasses), 'Remove the entries of the baseline whose checks pass.'],
    [open('inconclusive'), 'Find out why these checks could not decide. Each message says what is missing.'],
    [
      blocked,
      `Then run again: ${count(blocked.length, 'check')} ${blocked.length === 1 ? 'was' : 'were'} blocked by others.`,
    ],
    [open('not-run'), 'Run all checks. Only a complete run gives a verdict.'],
    [listed(baseline.expected), 'Fix the known failures before their entries expire.'],
    [
      those(({ standing, provenance }) => standing === 'warning' && provenance !== 'assumed'),
      'Consider the warnings. The deployment deviates from a standard or a recommendation.',
    ],
    [
      [],
      `Tell users of the mock that this deployment answers ${count(differing.length, 'open question')} differently.`,
      differing.length,
    ],
    [[], `If needed, remove the ${count(leftBehind.length, 'item')} that run ${runId} left behind.`, leftBehind.length],
  ]
  const due = all.flatMap(([ids, text, number = ids.length]) => (number > 0 ? [{ text, checks: ids }] : []))
  return due.length > 0 ? due : [{ text: 'Nothing. Run the suite again after the next release.', checks: [] }]
}
