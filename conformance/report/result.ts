import type { CheckResult, JudgeSettings, RunJudgement } from '../judging/judge-run.ts'
import type { Transcript } from '../wire/record.ts'

export type { CheckResult } from '../judging/judge-run.ts'
export type { ExchangeRecord } from '../wire/record.ts'

/** The result of a run, with its transcript. */
export interface RunResult extends RunJudgement, Transcript {
  readonly url: string
  readonly runId: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  /** The settings of the run, with which it can be judged again. */
  readonly settings: Omit<JudgeSettings, 'url' | 'runId'>
  readonly checks: readonly CheckResult[]
  /** The workflows, executions, stored objects and documents that the run created. The API has no call to delete them. */
  readonly leftBehind: readonly string[]
  /** The number of requests, and the time spent waiting for answers and pausing to limit the rate, in milliseconds. */
  readonly requests: { readonly sent: number; readonly answeringMs: number; readonly waitingMs: number }
}
