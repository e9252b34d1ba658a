import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import type { NeedsReport } from '../../conformance/reads/needs.ts'

/** The exit codes. No other path exits with 0. */
export const exit = {
  ok: 0,
  nonconforming: 1,
  undecided: 2,
  usage: 3,
  couldNotRun: 4,
} as const

/** The exit code of each verdict. */
const exitCodes: Record<RunVerdict, number> = {
  conforming: exit.ok,
  nonconforming: exit.nonconforming,
  undecided: exit.undecided,
  'could-not-run': exit.couldNotRun,
}

/** Returns the exit code of a run. What a front end reads can make it worse, never better. */
export function exitWithNeeds(verdict: RunVerdict, needs: Pick<NeedsReport, 'verdict'> | undefined): number {
  const code = exitCodes[verdict]
  if (code === exit.couldNotRun || code === exit.nonconforming || !needs) return code
  if (needs.verdict === 'unmet') return exit.nonconforming
  return needs.verdict === 'undecided' ? exit.undecided : code
}

/** An error of usage or configuration: printed as one line, exit code 3. */
export class UsageError extends Error {}
