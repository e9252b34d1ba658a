import type { Step } from '../approval/workflow.ts'
import type { Analytics } from './analytics.ts'
import { sum } from './queueing.ts'

/** A step that delays executions. */
export interface Bottleneck {
  readonly stepId: string
  /** Its share of the completion times, from 0 to 1. */
  readonly criticalPathShare: number
  /** Mean time from assignment to decision over the estimate. */
  readonly estimateRatio: number
  /** `working`: the work takes too long. `waiting`: there are too few approvers. */
  readonly cause: 'waiting' | 'working'
  readonly message: string
}

const msPerMinute = 60_000
/** Fewer decisions say too little about a step. */
const fewestDecisions = 10
/** A bottleneck exceeds its estimate by this factor, and the other steps' ratio to their estimates too. */
const excess = 1.5
/** Requires a larger factor if there are few decisions: they may all come from one burst of work. */
const excessAfter = (decisions: number) => excess * (1 + 1.5 / Math.sqrt(decisions))
/** Beyond this utilisation, approvers do not keep up. */
const busiest = 0.9
/** The least share of the completion time that a step must take beyond its estimate to count as a bottleneck. */
const noticeable = 0.05

/**
 * Returns the steps that take much longer than estimated and that executions wait for, the worst first. Each is compared
 * with the other steps: if every step takes twice its estimate, the estimates are wrong and no step is a bottleneck.
 */
export function bottlenecksOf(analytics: Analytics): Bottleneck[] {
  const total = analytics.completion.totalMs
  if (total === 0) return []
  const steps = analytics.workflow.steps.map((step) => measure(analytics, step))
  return steps
    .filter((step) => isBottleneck(step, steps, total))
    .sort((a, b) => b.lostMs - a.lostMs)
    .map((step) => {
      const { stepId, estimateRatio } = step
      const criticalPathShare = step.criticalMs / total
      const cause = causeOf(step)
      const share = Math.round(criticalPathShare * 100)
      const reason =
        cause === 'working'
          ? `Its work takes ${(step.workMs / step.estimateMs).toFixed(1)} times as long as estimated`
          : `Work waits ${(step.waitMs / msPerMinute).toFixed(1)} minutes for an approver`
      const message = `'${stepId}' takes ${share} % of the time and ${estimateRatio.toFixed(1)} times its estimate. ${reason}.`
      return { stepId, criticalPathShare, estimateRatio, cause, message }
    })
}

function measure(analytics: Analytics, { step_id: stepId, estimated_duration: estimatedMinutes, approvers }: Step) {
  const { waiting, working, critical, arrivals } = analytics.step(stepId)
  const estimateMs = estimatedMinutes * msPerMinute
  const timeMs = waiting.meanMs + working.meanMs
  return {
    stepId,
    decisions: working.count,
    estimateMs,
    waitMs: waiting.meanMs,
    workMs: working.meanMs,
    timeMs,
    estimateRatio: timeMs / estimateMs,
    criticalMs: critical.totalMs,
    /** The time that executions waited for this step beyond its estimate. */
    lostMs: critical.totalMs - critical.count * estimateMs,
    /** The approvers' utilisation if the work took its estimate. */
    loadAsEstimated: estimateMs / Math.max(1, arrivals.gaps.meanMs) / approvers.length,
  }
}

type Measured = ReturnType<typeof measure>

function isBottleneck(step: Measured, steps: readonly Measured[], totalMs: number): boolean {
  const { decisions, estimateRatio, estimateMs, lostMs } = step
  if (estimateMs === 0 || decisions < fewestDecisions || lostMs < noticeable * totalMs) return false
  const others = steps.filter((other) => other !== step && other.decisions > 0)
  const othersRatio = sum(others.map(({ timeMs }) => timeMs)) / sum(others.map(({ estimateMs }) => estimateMs))
  const enough = excessAfter(decisions)
  return estimateRatio >= enough && (others.length === 0 || estimateRatio >= enough * othersRatio)
}

/** Finds the cause. Waiting counts as caused by slow work if the approvers would keep up with work as estimated. */
function causeOf({ waitMs, workMs, estimateMs, loadAsEstimated }: Measured): Bottleneck['cause'] {
  if (workMs >= excess * estimateMs && loadAsEstimated < busiest) return 'working'
  return waitMs > workMs - estimateMs ? 'waiting' : 'working'
}
