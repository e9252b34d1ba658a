import type { Analytics } from '../analytics/analytics.ts'
import { bottlenecksOf } from '../analytics/bottlenecks.ts'
import { sum } from '../analytics/queueing.ts'
import { doAtOnce, type Work } from '../work.ts'
import { addApprover, type Place, removeApprover, runInParallel, splitStep } from './changes.ts'
import { meanOf } from './samples.ts'
import { type ApproverModel, meanCompletion, modelOf, type StepModel, type WorkflowModel } from './workflow-model.ts'

/**
 * A change to the workflow, and its predicted effect on the mean completion time. The types:
 *
 * - `add-approver`: add an approver to the step, as fast as its approvers are on average.
 * - `remove-approver`: remove the approver `approverEmail` from the step; the others work as before.
 * - `run-steps-in-parallel`: give the step the order of the preceding stage, so that both run in parallel.
 * - `split-step`: replace the step by two of the same order. Each has all its approvers, half the estimate and half the
 *   work; their approval rates multiply to the old one.
 * - `re-estimate-step`: set the estimate to the mean work time. The work does not change, so the prediction is 0.
 */
export interface Recommendation {
  readonly type: 'add-approver' | 're-estimate-step' | 'run-steps-in-parallel' | 'remove-approver' | 'split-step'
  readonly stepId: string
  /** The approver to remove. */
  readonly approverEmail?: string
  readonly message: string
  /** Predicted change of the mean completion time over all executions; negative is faster. */
  readonly predictedChangeMinutes: number
}

const msPerMinute = 60_000
/** With fewer decisions in any step, nothing is predicted. */
const fewestDecisions = 20
/** A change that saves less than this share of the completion time is not worth it. */
const worthwhile = 0.02
/** From this factor on, an approver counts as slow, and an estimate as wrong. */
const excess = 1.5

/** Beyond this utilisation of the others, a slow approver may help or not, depending on how work is routed. */
const mostLoadOfOthers = 0.5

interface Option {
  readonly type: Recommendation['type']
  readonly stepId: string
  readonly approverEmail?: string
  readonly message: string
  readonly changed: WorkflowModel
}

/** The figures that recommendations are predicted from, as of one point in time. */
export interface Basis {
  readonly model: WorkflowModel
  readonly bottlenecks: ReadonlySet<string>
}

/** Captures the current figures; undefined if there are too few decisions. */
export function basisOf(analytics: Analytics): Basis | undefined {
  const model = modelOf(analytics, fewestDecisions)
  return model && { model, bottlenecks: new Set(bottlenecksOf(analytics).map(({ stepId }) => stepId)) }
}

/** Returns changes that shorten the mean completion time, the strongest first, then wrong estimates. */
export function recommendationsFor(analytics: Analytics): Recommendation[] {
  const basis = basisOf(analytics)
  return basis ? doAtOnce(recommendationsFrom(basis)) : []
}

/** Computes recommendations from captured figures. Many steps take long, so the work is interruptible. */
export function* recommendationsFrom({ model, bottlenecks }: Basis): Work<Recommendation[]> {
  const before = meanCompletion(model)
  const worthIt: (Omit<Option, 'changed'> & { readonly changeMs: number })[] = []
  for (const [stage, steps] of model.entries()) {
    for (const [index, step] of steps.entries()) {
      if (step.criticalShare < worthwhile) continue
      for (const { changed, ...option } of optionsFor(step, { stage, index }, model, bottlenecks)) {
        yield
        const changeMs = meanCompletion(changed) - before
        if (changeMs < -worthwhile * before) worthIt.push({ ...option, changeMs })
      }
      yield
    }
  }
  const changes = worthIt
    .sort((a, b) => a.changeMs - b.changeMs)
    .map(({ changeMs, message, ...option }): Recommendation => {
      const predictedChangeMinutes = changeMs / msPerMinute
      const gain = `Executions should end ${(-predictedChangeMinutes).toFixed(1)} minutes sooner on average.`
      return { ...option, message: `${message}. ${gain}`, predictedChangeMinutes }
    })
  return [...changes, ...model.flat().flatMap(reEstimate)]
}

function optionsFor(step: StepModel, place: Place, model: WorkflowModel, bottlenecks: ReadonlySet<string>): Option[] {
  const { step_id: stepId } = step.step
  const options: Option[] = [
    {
      type: 'add-approver',
      stepId,
      message: `Add an approver to '${stepId}', where work waits ${minutes(meanOf(step.waiting))} minutes`,
      changed: addApprover(model, place),
    },
  ]
  for (const { email, meanWork } of slowApprovers(step)) {
    const message = `Remove ${email}, whose work takes ${minutes(meanWork)} minutes, as an approver of '${stepId}'`
    options.push({
      type: 'remove-approver',
      stepId,
      approverEmail: email,
      message,
      changed: removeApprover(model, place, email),
    })
  }
  const stageBefore = model[place.stage - 1]
  if (stageBefore?.every((other) => !shareApprovers(step, other))) {
    const names = stageBefore.map((other) => `'${other.step.step_id}'`).join(' and ')
    options.push({
      type: 'run-steps-in-parallel',
      stepId,
      message: `Run '${stepId}' in parallel with ${names} instead of afterwards`,
      changed: runInParallel(model, place),
    })
  }
  if (step.approvers.length > 1 && bottlenecks.has(stepId)) {
    options.push({
      type: 'split-step',
      stepId,
      message: `Split '${stepId}' into two parallel steps, each with half the work`,
      changed: splitStep(model, place),
    })
  }
  return options
}

/**
 * Returns the approvers whose work takes significantly longer than the others' does. An approver who got work only while
 * the others were busy was a good choice; so the work must also have taken longer than the next best approver was expected
 * to take, by more than the others' mean. And the others must have time left for it.
 */
function slowApprovers({ approvers, station }: StepModel): ApproverModel[] {
  return approvers.filter((approver) => {
    const others = approvers.filter((other) => other !== approver)
    const decisions = sum(others.map((other) => other.decisions))
    if (decisions === 0 || approver.decisions === 0) return false
    if (station.arrivalRate > mostLoadOfOthers * sum(others.map(({ rate }) => rate))) return false
    const mean = sum(others.map((other) => other.decisions * other.meanWork)) / decisions
    const scv = sum(others.map((other) => other.decisions * other.workScv)) / decisions
    const luck = 2 * Math.sqrt(scv / approver.decisions)
    const regret = approver.meanWait + approver.meanWork - approver.meanNextBest
    return approver.meanWork > (excess + luck) * mean && regret > mean
  })
}

function shareApprovers({ step: a }: StepModel, { step: b }: StepModel): boolean {
  return a.approvers.some(({ email }) => b.approvers.some((other) => other.email === email))
}

function reEstimate({
  step: { step_id: stepId, estimated_duration: estimatedMinutes },
  working,
}: StepModel): Recommendation[] {
  const mean = meanOf(working) / msPerMinute
  if (mean < estimatedMinutes * excess && mean * excess > estimatedMinutes) return []
  const whole = Math.max(1, Math.round(mean))
  const message = `Estimate '${stepId}' at ${whole === 1 ? '1 minute' : `${whole} minutes`} instead of ${estimatedMinutes}, as long as the work takes. This corrects the plan; it does not speed up the work.`
  return [{ type: 're-estimate-step', stepId, message, predictedChangeMinutes: 0 }]
}

function minutes(ms: number): string {
  return (ms / msPerMinute).toFixed(1)
}
