import type { CheckResult, JudgeSettings, RunJudgement } from '../judging/judge-run.ts'
import type { NeedsReport } from '../reads/needs.ts'
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
  /** The calls of the run as HAR 1.2, without secrets; absent unless the run was recorded. */
  readonly session?: object
  /** Whether the deployment gives what a front end reads; absent unless that was asked. The verdict does not depend on it. */
  readonly reads?: NeedsReport
  /** The reason why the run was stopped before its end; absent if it was not. */
  readonly stopped?: string
  /**
   * The number of requests, of retries after 429, 502, 503 or 504, and the time spent waiting: for answers, and in pauses that
   * limit the load on the deployment.
   */
  readonly requests: {
    readonly sent: number
    readonly sentAgain?: number
    readonly answeringMs: number
    readonly waitingMs: number
  }
}
