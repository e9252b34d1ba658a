import type { ExecutionMetrics, StepPerformance } from './analytics.ts'

/** A step that holds executions up. `estimateRatio` is mean time from assignment to decision over the estimate. */
export interface Bottleneck {
  readonly stepId: string
  readonly criticalPathShare: number
  readonly estimateRatio: number
  readonly cause: 'waiting' | 'working'
  readonly message: string
}

/** A change to the workflow; `predictedChangeMinutes` is that of the mean completion time. */
export interface Recommendation {
  readonly type: 'add-approver' | 're-estimate-step' | 'run-steps-in-parallel' | 'remove-approver' | 'split-step'
  readonly stepId: string
  readonly message: string
  readonly predictedChangeMinutes: number
}

/** A step is a bottleneck when its share exceeds its even share, and its time its estimate, by this factor. */
const excess = 1.5

/** Steps that take more than their share and longer than their estimate, the worst first. */
export function bottlenecksOf(steps: readonly StepPerformance[]): Bottleneck[] {
  return steps
    .flatMap(({ stepId, criticalPathShare = 0, waitingTime, workingTime, estimatedMinutes }) => {
      if (!waitingTime || !workingTime) return []
      const estimateRatio = (waitingTime.mean + workingTime.mean) / estimatedMinutes
      if (estimateRatio < excess || criticalPathShare * steps.length < Math.min(excess, steps.length)) return []
      const cause: Bottleneck['cause'] = waitingTime.mean > workingTime.mean ? 'waiting' : 'working'
      const share = Math.round(criticalPathShare * 100)
      const message = `'${stepId}' takes ${share} % of the time and ${estimateRatio.toFixed(1)} times its estimate, most of it ${cause}.`
      return [{ stepId, criticalPathShare, estimateRatio, cause, message }]
    })
    .sort((a, b) => b.criticalPathShare - a.criticalPathShare)
}

/** What would shorten the mean completion time, the strongest first. */
export function recommendationsFor(
  steps: readonly StepPerformance[],
  { approved, rejected }: ExecutionMetrics,
): Recommendation[] {
  if (approved + rejected === 0) return []
  return steps
    .flatMap(({ stepId, waitingTime, workingTime, estimatedMinutes, criticalPathShare = 0 }): Recommendation[] => {
      if (!waitingTime || !workingTime || criticalPathShare === 0) return []
      const found: Recommendation[] = []
      if (waitingTime.mean > workingTime.mean) {
        found.push({
          type: 'add-approver',
          stepId,
          message: `Add an approver to '${stepId}': work waits ${waitingTime.mean.toFixed(1)} minutes there before it is taken up.`,
          predictedChangeMinutes: -waitingTime.mean / 2,
        })
      }
      if (workingTime.mean > estimatedMinutes * excess || workingTime.mean * excess < estimatedMinutes) {
        found.push({
          type: 're-estimate-step',
          stepId,
          message: `Estimate '${stepId}' at ${Math.max(1, Math.round(workingTime.mean))} minutes: that is what the work takes, not ${estimatedMinutes}.`,
          predictedChangeMinutes: 0,
        })
      }
      return found
    })
    .sort((a, b) => a.predictedChangeMinutes - b.predictedChangeMinutes)
}
