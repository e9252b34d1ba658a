/** The exit codes. No other path exits with 0. */
export const exit = {
  ok: 0,
  nonconforming: 1,
  undecided: 2,
  usage: 3,
  couldNotRun: 4,
} as const

/** An error of usage or configuration: printed as one line, exit code 3. */
export class UsageError extends Error {}
