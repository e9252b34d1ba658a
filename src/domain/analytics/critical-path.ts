import type { Execution, ExecutionStep } from '../approval/execution.ts'

/** A step on the critical path of an execution, with its times in milliseconds. */
export interface CriticalStep {
  readonly stepId: string
  readonly waitedMs: number
  readonly workedMs: number
}

/**
 * Returns, for each stage that was reached, the step that ended it. A stage begins when the previous one ends, so the
 * times add up to the completion time, even if an assignment was recorded a little later.
 */
export function criticalPath({ stages, startedAt }: Execution): CriticalStep[] {
  let begun = startedAt
  return stages.flatMap((steps) => {
    const last = endOf(steps)
    if (!last) return []
    const { step, takenUpAt, decidedAt } = last
    const entry = { stepId: step.step_id, waitedMs: takenUpAt - begun, workedMs: decidedAt - takenUpAt }
    begun = decidedAt
    return entry
  })
}

type Decided = ExecutionStep & { readonly takenUpAt: number; readonly decidedAt: number }

/** Returns the step that ended a stage: the rejected one, or else the first of the last. */
function endOf(steps: readonly ExecutionStep[]): Decided | undefined {
  let latest: Decided | undefined
  for (const step of steps) {
    if (!isDecided(step)) continue
    if (step.status === 'rejected') return step
    if (!latest || step.decidedAt > latest.decidedAt) latest = step
  }
  return latest
}

function isDecided(step: ExecutionStep): step is Decided {
  return step.takenUpAt !== undefined && step.decidedAt !== undefined
}
