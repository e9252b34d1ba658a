import type { Step } from '../approval/workflow.ts'
import type { Analytics } from './analytics.ts'
import { sum } from './queueing.ts'

/** A step that holds executions up. */
export interface Bottleneck {
  readonly stepId: string
  /** Its share of the completion times, from 0 to 1. */
  readonly criticalPathShare: number
  /** Mean time from assignment to decision over the estimate. */
  readonly estimateRatio: number
  /** Too much work for each approver, or too few approvers. */
  readonly cause: 'waiting' | 'working'
  readonly message: string
}

const msPerMinute = 60_000
/** Fewer decisions say little of a step. */
const fewestDecisions = 10
/** A bottleneck takes this many times its estimate, and so many times more over its estimate than the other steps. */
const excess = 1.5
/** With few decisions it takes more than that: a single crowd may have passed. */
const excessAfter = (decisions: number) => excess * (1 + 1.5 / Math.sqrt(decisions))
/** Approvers who would have to work more of their time than this do not keep up. */
const busiest = 0.9
/** What it takes beyond its estimate is at least this share of the completion time, or it holds up hardly anything. */
const noticeable = 0.05

/**
 * Steps that take much longer than estimated, and that executions wait for; the worst first. They are measured against
 * the other steps: where every step takes twice its estimate the estimates are wrong, and no step is in the way.
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
          ? `because its work takes ${(step.workMs / step.estimateMs).toFixed(1)} times as long as estimated`
          : `because work waits ${(step.waitMs / msPerMinute).toFixed(1)} minutes for an approver`
      const message = `'${stepId}' takes ${share} % of the time and ${estimateRatio.toFixed(1)} times its estimate, ${reason}.`
      return { stepId, criticalPathShare, estimateRatio, cause, message }
    })
}

function measure(analytics: Analytics, { stepId, estimatedMinutes, approvers }: Step) {
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
    /** What executions waited for this step beyond its estimate. */
    lostMs: critical.totalMs - critical.count * estimateMs,
    /** How much of their time the approvers would work if the work took its estimate. */
    loadAsEstimated: estimateMs / Math.max(1, arrivals.gaps.meanMs) / approvers.length,
  }
}

type Measured = ReturnType<typeof measure>

function isBottleneck(step: Measured, steps: readonly Measured[], totalMs: number): boolean {
  const { decisions, estimateRatio, lostMs } = step
  if (decisions < fewestDecisions || lostMs < noticeable * totalMs) return false
  const others = steps.filter((other) => other !== step && other.decisions > 0)
  const othersRatio = sum(others.map(({ timeMs }) => timeMs)) / sum(others.map(({ estimateMs }) => estimateMs))
  const enough = excessAfter(decisions)
  return estimateRatio >= enough && (others.length === 0 || estimateRatio >= enough * othersRatio)
}

/** Waiting that follows from slow work is the work's fault, as long as the approvers would keep up with fast work. */
function causeOf({ waitMs, workMs, estimateMs, loadAsEstimated }: Measured): Bottleneck['cause'] {
  if (workMs >= excess * estimateMs && loadAsEstimated < busiest) return 'working'
  return waitMs > workMs - estimateMs ? 'waiting' : 'working'
}
