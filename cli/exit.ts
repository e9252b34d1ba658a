import { inspect } from 'node:util'
import type { RunVerdict } from '../conformance/judging/verdict.ts'
import type { NeedsReport } from '../conformance/reads/needs.ts'
import type { ReplayVerdict } from '../conformance/replay/result.ts'
import { showHidden, truncate } from '../conformance/wire/inert.ts'

/** The exit codes. No other path exits with 0. */
export const exit = {
  ok: 0,
  nonconforming: 1,
  undecided: 2,
  usage: 3,
  couldNotRun: 4,
} as const

/** The exit code of each verdict. */
export const exitCodes: Readonly<Record<RunVerdict | ReplayVerdict, number>> = {
  conforming: exit.ok,
  same: exit.ok,
  nonconforming: exit.nonconforming,
  different: exit.nonconforming,
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

/** The longest text of a value that was thrown and is no error, in characters. */
const longestValue = 200

/** Says in one line what was thrown, whatever it is. A text that is no sentence, unlike our own, is a fault of ours. */
export function errorLineOf(error: unknown): string {
  const text =
    error instanceof Error ? error.message || error.name : `${truncate(inspect(error), longestValue)} was thrown`
  const line = showHidden(
    text
      .split('\n')
      .map((part) => part.trim())
      .join(' '),
  )
  return /.\.$/.test(line) ? line : `${line}. Report this as a fault of countersign.`
}

/** An error of usage or configuration: printed as one line, exit code 3. */
export class UsageError extends Error {}
