import type { Analytics } from '../analytics/analytics.ts'
import { bottlenecksOf } from '../analytics/bottlenecks.ts'
import { sum } from '../analytics/queueing.ts'
import { doAtOnce, type Work } from '../work.ts'
import { addApprover, type Place, removeApprover, runInParallel, splitStep } from './changes.ts'
import { meanOf } from './samples.ts'
import { type ApproverModel, meanCompletion, modelOf, type StepModel, type WorkflowModel } from './workflow-model.ts'

/**
 * A change to the workflow, and what it does to the mean completion time. What each type means:
 *
 * - `add-approver`: one more approver of the step, who works as the step's approvers do on the mean.
 * - `remove-approver`: one approver, `approverEmail`, no longer approves the step; the others work as before.
 * - `run-steps-in-parallel`: the step gets the order of the stage before it, so that both run together.
 * - `split-step`: two steps of the same order take the place of the step. Each has all its approvers, half the estimate
 *   and half the work, and is approved so often that both together are as often as the step was.
 * - `re-estimate-step`: the estimate becomes the mean work. The work itself does not change, so the prediction is 0.
 */
export interface Recommendation {
  readonly type: 'add-approver' | 're-estimate-step' | 'run-steps-in-parallel' | 'remove-approver' | 'split-step'
  readonly stepId: string
  /** Who is to be removed. */
  readonly approverEmail?: string
  readonly message: string
  /** Predicted change of the mean completion time over all executions; negative is faster. */
  readonly predictedChangeMinutes: number
}

const msPerMinute = 60_000
/** With fewer decisions in a step there is nothing to predict from. */
const fewestDecisions = 20
/** A change that saves less than this share of the completion time is not worth it. */
const worthwhile = 0.02
/** An approver is slow, and an estimate wrong, by this factor. */
const excess = 1.5

/** Beyond this load of the others, how the router spreads the work decides whether a slow approver helps. */
const mostLoadOfOthers = 0.5

interface Option {
  readonly type: Recommendation['type']
  readonly stepId: string
  readonly approverEmail?: string
  readonly message: string
  readonly changed: WorkflowModel
}

/** What recommendations are predicted from: the figures as they were at a time. */
export interface Basis {
  readonly model: WorkflowModel
  readonly bottlenecks: ReadonlySet<string>
}

/** The figures as they are now; nothing while there are too few. */
export function basisOf(analytics: Analytics): Basis | undefined {
  const model = modelOf(analytics, fewestDecisions)
  return model && { model, bottlenecks: new Set(bottlenecksOf(analytics).map(({ stepId }) => stepId)) }
}

/** What would shorten the mean completion time, the strongest first, and estimates that are wrong. */
export function recommendationsFor(analytics: Analytics): Recommendation[] {
  const basis = basisOf(analytics)
  return basis ? doAtOnce(recommendationsFrom(basis)) : []
}

/** The recommendations of the time of the figures. Predicting for many steps takes long, so it can be interrupted. */
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
      const gain = `executions should end ${(-predictedChangeMinutes).toFixed(1)} minutes sooner on the mean.`
      return { ...option, message: `${message}: ${gain}`, predictedChangeMinutes }
    })
  return [...changes, ...model.flat().flatMap(reEstimate)]
}

function optionsFor(step: StepModel, place: Place, model: WorkflowModel, bottlenecks: ReadonlySet<string>): Option[] {
  const { stepId } = step.step
  const options: Option[] = [
    {
      type: 'add-approver',
      stepId,
      message: `Add an approver to '${stepId}', where work waits ${minutes(meanOf(step.waiting))} minutes`,
      changed: addApprover(model, place),
    },
  ]
  for (const { email, meanWork } of slowApprovers(step)) {
    const message = `Take ${email} off '${stepId}', whose work takes ${minutes(meanWork)} minutes`
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
    const names = stageBefore.map((other) => `'${other.step.stepId}'`).join(' and ')
    options.push({
      type: 'run-steps-in-parallel',
      stepId,
      message: `Run '${stepId}' together with ${names} instead of after`,
      changed: runInParallel(model, place),
    })
  }
  if (step.approvers.length > 1 && bottlenecks.has(stepId)) {
    options.push({
      type: 'split-step',
      stepId,
      message: `Split '${stepId}' into two steps that run together, each with half the work`,
      changed: splitStep(model, place),
    })
  }
  return options
}

/**
 * Those whose work takes much longer than that of the step's others, and not by bad luck with a few pieces of it. Whoever
 * got work only while the others were busy was well placed; so it must also have taken longer than the next best was
 * expected to, by more than a piece of work of the others. And the others must have time left for it.
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

function reEstimate({ step: { stepId, estimatedMinutes }, working }: StepModel): Recommendation[] {
  const mean = meanOf(working) / msPerMinute
  if (mean < estimatedMinutes * excess && mean * excess > estimatedMinutes) return []
  const whole = Math.max(1, Math.round(mean))
  const message = `Estimate '${stepId}' at ${whole === 1 ? '1 minute' : `${whole} minutes`}: that is what the work takes, not ${estimatedMinutes}. It makes the plan right, not the work faster.`
  return [{ type: 're-estimate-step', stepId, message, predictedChangeMinutes: 0 }]
}

function minutes(ms: number): string {
  return (ms / msPerMinute).toFixed(1)
}
