import type { CheckResult } from '../conformance/report/result.ts'
import type { RunProgress } from '../conformance/run/runner.ts'

/** What a thread tells of its task. */
export type News =
  /** A sign of life. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'begun'; readonly runId: string }
  | { readonly kind: 'progress'; readonly progress: Omit<RunProgress, 'step'> & { readonly step?: string } }
  | { readonly kind: 'result'; readonly result: CheckResult }

/** The connection of a task to the thread that has started it. */
export interface Surroundings {
  readonly tell: (news: News) => void
  /** Aborts when the task is to end with what it has. */
  readonly signal: AbortSignal
}
