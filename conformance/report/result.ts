import type { GapId, RequirementId } from '../catalogue/catalogue.ts'
import type { RunVerdict, Verdict } from '../judging/verdict.ts'

/** A request and its answer, if any, as a report shows them: secrets are masked, long bodies are cut. */
export interface ExchangeRecord {
  readonly method: string
  /** Without its signature. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The body as text; a note in angle brackets where it is none. */
  readonly requestBody?: string
  /** Absent where no answer came. */
  readonly status?: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  readonly durationMs: number
  /** Why no answer came. */
  readonly failure?: string
}

/** What a check came to. */
export interface CheckResult {
  /** The requirement's id, by which the check is named too. */
  readonly id: RequirementId
  readonly requirement: RequirementId
  readonly section: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
  /** Its tries disagreed. */
  readonly flaky: boolean
  readonly message: string
  /** The check that it waits for, where it is blocked. */
  readonly blockedBy?: RequirementId
  readonly durationMs: number
  /** What it looked at, the latest last; places in the run's `exchanges`. */
  readonly exchanges: readonly number[]
}

/** What a deployment does where the document is silent. */
export interface GapAnswer {
  readonly id: GapId
  readonly observed: string
  readonly sameAsOurs: boolean
}

/** What a run came to. */
export interface RunResult {
  readonly url: string
  readonly runId: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly verdict: RunVerdict
  readonly checks: readonly CheckResult[]
  readonly gaps: readonly GapAnswer[]
  /** What was found where: JSON Pointers (RFC 6901) into answers. */
  readonly located: Readonly<Record<string, string>>
  /** The workflows, executions, stored objects and documents that were answered as made; the API has no call to delete them. */
  readonly leftBehind: readonly string[]
  /** How many requests were sent, and how long the run waited: for answers, and of its own accord to be polite. */
  readonly requests: { readonly sent: number; readonly answeringMs: number; readonly waitingMs: number }
  readonly exchanges: readonly ExchangeRecord[]
  /** What a reader should know of the run itself. */
  readonly notes: readonly string[]
}
