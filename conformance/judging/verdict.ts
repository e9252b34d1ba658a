/** The verdicts of a check, the worst first. Of several verdicts, the worst counts. */
export const verdicts = [
  'harness-error',
  'fail',
  'inconclusive',
  'blocked',
  'not-run',
  // The deployment accepted the value, but no answer confirms or refutes it.
  'accepted',
  'pass',
  'not-applicable',
] as const

export type Verdict = (typeof verdicts)[number]

/** The verdict of a run. */
export type RunVerdict = 'conforming' | 'nonconforming' | 'undecided' | 'could-not-run'

export interface Judged {
  readonly verdict: Verdict
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
}

/** Returns the worst of some verdicts; 'not-applicable' if there are none. */
function worst(found: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => found.includes(verdict)) ?? 'not-applicable'
}

/** Returns true if a deployment must pass a check to conform. */
export function binds({ provenance, level }: Omit<Judged, 'verdict'>): boolean {
  return provenance === 'documented' && level === 'must'
}

/**
 * Returns the verdict of a run. Only a failed check of a documented 'must' makes a deployment nonconforming, and only decided
 * checks make it conforming. A check that must be verified is undecided if it is only accepted.
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
