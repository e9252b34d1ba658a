import type { RunVerdict } from '../../conformance/judging/verdict.ts'

/** The exit codes. No other path exits with 0. */
export const exit = {
  ok: 0,
  nonconforming: 1,
  undecided: 2,
  usage: 3,
  couldNotRun: 4,
} as const

/** The exit code of each verdict. */
export const exitCodes: Record<RunVerdict, number> = {
  conforming: exit.ok,
  nonconforming: exit.nonconforming,
  undecided: exit.undecided,
  'could-not-run': exit.couldNotRun,
}

/** An error of usage or configuration: printed as one line, exit code 3. */
export class UsageError extends Error {}
