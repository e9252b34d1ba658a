import type { Execution, ExecutionStep } from '../../src/domain/approval/execution.ts'
import type { Moment } from './histories.ts'

/** Returns the exact mean and quantiles of durations in milliseconds. */
export function exactFiguresOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const quantile = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0
  return { mean: mean(values), p50: quantile(50), p90: quantile(90), p99: quantile(99) }
}

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

/** Computes the figures of executions from scratch, to compare with the incremental ones. Times are in milliseconds. */
export function recount({ executions }: Pick<Moment, 'executions'>) {
  const withStatus = (status: Execution['status']) => executions.filter((execution) => execution.status === status)
  const approved = withStatus('approved')
  const rejected = withStatus('rejected')
  const ended = [...approved, ...rejected]
  return {
    total: executions.length,
    running: withStatus('running').length,
    approved: approved.length,
    rejected: rejected.length,
    completions: ended.map(({ startedAt, completedAt = 0 }) => completedAt - startedAt),
    ended,
  }
}

/** Computes the figures of a step from scratch. */
export function recountStep({ executions }: Pick<Moment, 'executions'>, stepId: string) {
  const all = executions.flatMap(({ stages }) => stages.flat()).filter(({ step }) => step.step_id === stepId)
  const withStatus = (status: ExecutionStep['status']) => all.filter((step) => step.status === status)
  const [approved, rejected] = [withStatus('approved'), withStatus('rejected')]
  const decided = [...approved, ...rejected]
  return {
    assigned: withStatus('assigned').length,
    approved: approved.length,
    rejected: rejected.length,
    decided: decided.map(({ assignee, assignedAt = 0, takenUpAt = 0, decidedAt = 0 }) => ({
      email: assignee?.email,
      waited: takenUpAt - assignedAt,
      worked: decidedAt - takenUpAt,
    })),
    assignedAt: all.flatMap(({ assignedAt }) => assignedAt ?? []),
  }
}
