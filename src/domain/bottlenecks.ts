import type { Analytics } from './analytics.ts'
import { sum } from './queueing.ts'

/** A step that holds executions up. `estimateRatio` is mean time from assignment to decision over the estimate. */
export interface Bottleneck {
  readonly stepId: string
  /** Its share of the completion times, from 0 to 1. */
  readonly criticalPathShare: number
  readonly estimateRatio: number
  readonly cause: 'waiting' | 'working'
  readonly message: string
}

const msPerMinute = 60_000
/** Fewer decisions say little of a step. */
const fewestDecisions = 10
/** A bottleneck takes this many times its estimate, and so many times more over its estimate than the other steps. */
const excess = 1.5
/** What it takes beyond its estimate is at least this share of the completion time, or it holds up hardly anything. */
const noticeable = 0.05

/**
 * Steps that take much longer than estimated, and that executions wait for; the worst first. They are measured against
 * the other steps: where every step takes twice its estimate the estimates are wrong, and no step is in the way.
 */
export function bottlenecksOf(analytics: Analytics): Bottleneck[] {
  const steps = analytics.workflow.steps.map(({ stepId, estimatedMinutes }) => {
    const { waiting, working, critical } = analytics.step(stepId)
    const estimateMs = estimatedMinutes * msPerMinute
    const timeMs = waiting.meanMs + working.meanMs
    const lostMs = critical.totalMs - critical.count * estimateMs
    return { stepId, estimateMs, waiting, working, timeMs, lostMs, critical, estimateRatio: timeMs / estimateMs }
  })
  const total = analytics.completion.totalMs
  if (total === 0) return []
  return steps
    .filter((step) => {
      const others = steps.filter((other) => other !== step && other.working.count > 0)
      const othersRatio = sum(others.map(({ timeMs }) => timeMs)) / sum(others.map(({ estimateMs }) => estimateMs))
      return (
        step.working.count >= fewestDecisions &&
        step.estimateRatio >= excess &&
        (others.length === 0 || step.estimateRatio >= excess * othersRatio) &&
        step.lostMs >= noticeable * total
      )
    })
    .sort((a, b) => b.lostMs - a.lostMs)
    .map(({ stepId, waiting, working, critical, estimateMs, estimateRatio }) => {
      const criticalPathShare = critical.totalMs / total
      const cause = waiting.meanMs > working.meanMs - estimateMs ? 'waiting' : 'working'
      const blame = cause === 'waiting' ? 'waiting for an approver' : 'in work'
      const share = Math.round(criticalPathShare * 100)
      const message = `'${stepId}' takes ${share} % of the time and ${estimateRatio.toFixed(1)} times its estimate; what is too much is mostly spent ${blame}.`
      return { stepId, criticalPathShare, estimateRatio, cause, message }
    })
}
