/** Exit codes. No other path exits 0. */
export const exit = {
  ok: 0,
  nonconforming: 1,
  undecided: 2,
  usage: 3,
  couldNotRun: 4,
} as const

/** Bad usage or configuration: one line, exit code 3. */
export class UsageError extends Error {}
