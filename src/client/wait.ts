import type { components } from '../contract/types.gen.ts'
import { type Calls, dataOf } from './calls.ts'
import { ClientError } from './error.ts'
import { isTransient, pause } from './retry.ts'

/** A workflow's execution for one document. */
export type WorkflowExecution = components['schemas']['Execution']

/** Options of `waitForExecution`. */
export interface WaitOptions {
  /**
   * Called with the execution after each read.
   *
   * @default no updates
   * @example `{ onUpdate: ({ status }) => console.log(status) }`
   */
  readonly onUpdate?: (execution: WorkflowExecution) => void
  /**
   * Aborts the wait.
   *
   * @default none
   * @example `{ signal: AbortSignal.timeout(60_000) }`
   */
  readonly signal?: AbortSignal
  /**
   * Milliseconds before the second read. Each further delay is one and a half times as long.
   *
   * @default 500
   * @example `{ delayMs: 50 }`
   */
  readonly delayMs?: number
  /**
   * Longest delay between two reads, in milliseconds.
   *
   * @default 10000
   * @example `{ maxDelayMs: 2_000 }`
   */
  readonly maxDelayMs?: number
  /**
   * Milliseconds after which the wait fails with the code `timed-out`.
   *
   * @default no limit
   * @example `{ timeoutMs: 60_000 }`
   */
  readonly timeoutMs?: number
}

/** The number of consecutive transient failures after which waiting ends. */
const maxFailures = 5

/**
 * Reads a workflow until an execution is approved or rejected, and returns the execution. The documented API shows executions in the
 * workflow's details only (gap.details-response). Rejects with a `ClientError`.
 */
export async function waitForExecution(
  calls: Calls,
  { workflow_id, execution_id }: Pick<WorkflowExecution, 'workflow_id' | 'execution_id'>,
  options: WaitOptions = {},
): Promise<WorkflowExecution> {
  const { onUpdate, delayMs = 500, maxDelayMs = 10_000, timeoutMs = Number.POSITIVE_INFINITY } = options
  const deadline = timeoutMs > longestTimer ? undefined : new AbortController()
  const timer = deadline && setTimeout(() => deadline.abort(), timeoutMs)
  const limit = deadline?.signal
  const signal = limit && options.signal ? AbortSignal.any([options.signal, limit]) : (limit ?? options.signal)
  // Without need there is no signal, since the platform's fetch takes none of jsdom's.
  const init = { params: { path: { workflow_id } }, ...(signal && { signal }) }
  let failed = 0
  try {
    for (let wait = delayMs; ; wait = Math.min(wait * 1.5, maxDelayMs)) {
      try {
        const details = await dataOf(calls.GET('/api/v1/workflows/{workflow_id}', init), signal)
        const execution = executionIn(details.recent_executions, execution_id)
        failed = 0
        onUpdate?.(execution)
        if (execution.status !== 'running') return execution
      } catch (error) {
        failed += 1
        if (!isTransient(error) || failed >= maxFailures) throw error
      }
      await pause(wait, signal)
    }
  } catch (error) {
    if (!limit?.aborted || options.signal?.aborted) throw error
    throw new ClientError(
      'timed-out',
      `The execution '${execution_id}' is still running after ${timeoutMs} ms. Set a larger timeoutMs, or wait for it again later.`,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** The longest time that a timer supports, in milliseconds: 24 days. */
const longestTimer = 2 ** 31 - 1

function executionIn(executions: readonly WorkflowExecution[], execution_id: string): WorkflowExecution {
  const execution = executions.find((one) => one.execution_id === execution_id)
  if (execution) return execution
  throw new ClientError(
    'execution-not-shown',
    `The workflow does not show the execution '${execution_id}'; it lists only its latest ones. Check both identifiers.`,
  )
}
