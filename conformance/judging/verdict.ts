/** What a check can come to, the worst first; where several meet, the worse one counts. */
export const verdicts = [
  'harness-error',
  'fail',
  'inconclusive',
  'blocked',
  'not-run',
  // The deployment took it, and shows nothing that would confirm or refute it.
  'accepted',
  'pass',
  'not-applicable',
] as const

export type Verdict = (typeof verdicts)[number]

/** What a whole run comes to. */
export type RunVerdict = 'conforming' | 'nonconforming' | 'undecided' | 'could-not-run'

export interface Judged {
  readonly verdict: Verdict
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
}

/** The worst of some verdicts; not applicable where there are none. */
function worst(found: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => found.includes(verdict)) ?? 'not-applicable'
}

/** Whether a deployment must pass a check to conform. */
export function binds({ provenance, level }: Omit<Judged, 'verdict'>): boolean {
  return provenance === 'documented' && level === 'must'
}

/**
 * Only a documented must that fails makes a deployment nonconforming, and only decided ones make it conforming. What has to be
 * verified is undecided as long as it is only accepted.
 */
export function runVerdict<Check extends Judged>(
  checks: readonly Check[],
  mustBeVerified: (check: Check) => boolean = () => false,
): RunVerdict {
  if (checks.some(({ verdict }) => verdict === 'harness-error')) return 'could-not-run'
  const isOpen = (check: Check) => check.verdict === 'accepted' && mustBeVerified(check)
  switch (worst(checks.filter(binds).map((check) => (isOpen(check) ? 'inconclusive' : check.verdict)))) {
    case 'fail':
      return 'nonconforming'
    case 'accepted':
    case 'pass':
      return 'conforming'
    default:
      return 'undecided'
  }
}
