/** What a check can come to, the worst first; where several meet, the worse one counts. */
export const verdicts = [
  'harness-error',
  'fail',
  'inconclusive',
  'blocked',
  'not-run',
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

/** Only a documented must that fails makes a deployment nonconforming, and only decided ones make it conforming. */
export function runVerdict(checks: readonly Judged[]): RunVerdict {
  if (checks.some(({ verdict }) => verdict === 'harness-error')) return 'could-not-run'
  switch (worst(checks.filter(binds).map(({ verdict }) => verdict))) {
    case 'fail':
      return 'nonconforming'
    case 'pass':
      return 'conforming'
    default:
      return 'undecided'
  }
}
