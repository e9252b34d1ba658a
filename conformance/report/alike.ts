import type { CheckResult } from './result.ts'
import { count } from './tally.ts'

/** Checks with the same verdict for the same reason, which the summaries show in one line. */
export interface AlikeChecks {
  readonly verdict: CheckResult['verdict']
  /** The reason, to be written after the number of checks. */
  readonly reason: string
  /** The check that blocks them, if they are blocked. */
  readonly cause: CheckResult['id'] | undefined
  readonly checks: readonly CheckResult[]
}

/** The messages of a run that ended early. Every check that still needed a request has one of them. */
const ends = /: (the run was stopped|the time for the run is over)\.$/

/** Returns the reason for which a check is like others. Returns undefined if it has its own. */
function sharedReason({ verdict, blockedBy, message }: CheckResult): string | undefined {
  if (verdict === 'blocked' && blockedBy !== undefined) return ` by ${blockedBy}`
  if (verdict === 'not-run') return `: ${message.replace(/\.$/, '')}`
  const end = verdict === 'inconclusive' ? ends.exec(message)?.[1] : undefined
  return end === undefined ? undefined : `: ${end}`
}

/** Returns the checks that share a reason, the largest group first. */
export function alikeChecks(checks: readonly CheckResult[]): AlikeChecks[] {
  const groups = new Map<string, AlikeChecks>()
  for (const check of checks) {
    const { verdict } = check
    const reason = sharedReason(check)
    if (reason === undefined) continue
    const { cause = verdict === 'blocked' ? check.blockedBy : undefined, checks: others = [] } =
      groups.get(reason) ?? {}
    groups.set(reason, { verdict, reason, cause, checks: [...others, check] })
  }
  return [...groups.values()].sort((a, b) => b.checks.length - a.checks.length)
}

/** Describes checks that share a reason: their number, the reason, and their ids if they are few. */
export function describeAlike({ reason, checks }: AlikeChecks): string {
  const names = checks.length > 3 ? 'report.json lists them' : checks.map(({ id }) => id).join(', ')
  return `${count(checks.length, 'check')}${reason} (${names})`
}
