import type { CallName } from '../session/calls.ts'
import type { HarSession } from '../session/read-har.ts'
import type { ExchangeRecord } from '../wire/record.ts'
import type { CallOutcome } from './outcome.ts'

/** The result of a call of a session. */
export interface ReplayedCall {
  /** The name of the call in the recording, or the call with a number. */
  readonly name: string
  readonly call: CallName | 'other call'
  readonly outcome: 'same' | 'other' | 'unsent'
  /** The reason, unless the outcome is the same. */
  readonly reason?: string
  /** The recorded outcome, in a few words. */
  readonly before: string
  /** The recorded outcome. */
  readonly was: CallOutcome
  /** The outcome now; absent if the call was not answered. */
  readonly became?: CallOutcome
  /** The outcome now, in a few words; absent if the call was not answered. */
  readonly now?: string
  /** True if a workflow was accepted only with another name, since its own is taken. */
  readonly isRenamed?: true
  readonly recorded: ExchangeRecord
  readonly exchange?: ExchangeRecord
}

export type ReplayVerdict = 'same' | 'different' | 'undecided' | 'could-not-run'

/** The result of a replay, without secrets. */
export interface ReplayResult {
  readonly url: string
  /** The base address of the service that the session was recorded on. */
  readonly recordedAt: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly verdict: ReplayVerdict
  readonly calls: readonly ReplayedCall[]
  readonly leftOut: HarSession['leftOut']
  /** The things that the replay created. The API has no call to delete them. */
  readonly leftBehind: readonly string[]
  readonly requests: number
  readonly notes: readonly string[]
}

/** The number of calls with each outcome. */
export function outcomesIn(calls: readonly ReplayedCall[]): Readonly<Record<ReplayedCall['outcome'], number>> {
  const count = (outcome: ReplayedCall['outcome']) => calls.filter((call) => call.outcome === outcome).length
  return { same: count('same'), other: count('other'), unsent: count('unsent') }
}

/** Returns the verdict on a session's calls. */
export function verdictOn(calls: readonly ReplayedCall[]): ReplayVerdict {
  const { same, other, unsent } = outcomesIn(calls)
  if (other > 0) return 'different'
  if (unsent > 0 || same === 0) return 'undecided'
  return 'same'
}
