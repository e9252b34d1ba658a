import type { CheckResult, JudgeSettings, RunJudgement } from '../judging/judge-run.ts'
import type { Transcript } from '../wire/record.ts'

export type { CheckResult } from '../judging/judge-run.ts'
export type { ExchangeRecord } from '../wire/record.ts'

/** What a run came to, and the transcript that it follows from. */
export interface RunResult extends RunJudgement, Transcript {
  readonly url: string
  readonly runId: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  /** What the run was told, so that it can be judged again. */
  readonly settings: Omit<JudgeSettings, 'url' | 'runId'>
  readonly checks: readonly CheckResult[]
  /** The workflows, executions, stored objects and documents that were answered as made; the API has no call to delete them. */
  readonly leftBehind: readonly string[]
  /** Why the run was stopped before its end; absent if it was not. */
  readonly stopped?: string
  /**
   * How many requests were sent, how many of them again after 429, 502, 503 or 504, and how long the run waited: for answers, and
   * of its own accord to be polite.
   */
  readonly requests: {
    readonly sent: number
    readonly sentAgain?: number
    readonly answeringMs: number
    readonly waitingMs: number
  }
}
