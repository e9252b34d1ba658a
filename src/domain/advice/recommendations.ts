import type { Analytics } from '../analytics/analytics.ts'
import { bottlenecksOf } from '../analytics/bottlenecks.ts'
import { meanWaitMs, type Station, sum } from '../analytics/queueing.ts'
import type { Work } from '../work.ts'
import {
  type ApproverModel,
  addSamples,
  atStation,
  meanCompletion,
  meanOf,
  meanStageTime,
  modelOf,
  replaceStages,
  type SampledDistribution,
  type StepModel,
  type WorkflowModel,
  withMean,
} from './workflow-model.ts'

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

/**
 * Returns changes that shorten the mean completion time, the strongest first, then wrong estimates, from captured figures. Many steps
 * take long, so the work is interruptible.
 */
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
    const margin = 2 * Math.sqrt(scv / approver.decisions)
    const regret = approver.meanWait + approver.meanWork - approver.meanNextBest
    return approver.meanWork > (excess + margin) * mean && regret > mean
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

/** Applies each kind of recommendation to the model of a workflow. */

/** The position of a step in a model. */
interface Place {
  readonly stage: number
  readonly index: number
}

/** Adds an approver whose work times are distributed as the step's are on average. */
function addApprover(model: WorkflowModel, place: Place): WorkflowModel {
  return replaceStep(model, place, (step) => {
    const { servers, capacity } = step.station
    return atStation(step, { ...step.station, servers: servers + 1, capacity: capacity + 1 / meanOf(step.working) })
  })
}

/**
 * Removes an approver from a step; the others take on the work, each as fast as before. Work may have gone to a slow
 * approver for a good reason, if the others were busy. So moved work takes as long as the next best approver was expected
 * to take at the time, and makes the others' own work wait longer.
 */
function removeApprover(model: WorkflowModel, place: Place, email: string): WorkflowModel {
  return replaceStep(model, place, (step) => {
    const { approvers, station } = step
    const others = approvers.filter((approver) => approver.email !== email)
    const removed = approvers.find((approver) => approver.email === email)
    const decisions = sum(others.map((other) => other.decisions))
    if (!removed || decisions === 0) return step
    const mean = (value: (approver: ApproverModel) => number) =>
      sum(others.map((other) => other.decisions * value(other))) / decisions
    const meanWork = mean((other) => other.meanWork)
    const meanWait = mean((other) => other.meanWait)
    const share = decisions / (decisions + removed.decisions)
    const before: StepModel = {
      ...step,
      approvers: others,
      station: {
        ...station,
        arrivalRate: station.arrivalRate * share,
        servers: others.length,
        capacity: sum(others.map(({ rate }) => rate)),
      },
      waiting: withMean(step.waiting, meanWait),
      working: withMean(step.working, meanWork),
    }
    const after = atStation(before, { ...before.station, arrivalRate: station.arrivalRate })
    const moved = (1 - share) * Math.max(0, removed.meanNextBest - meanWork - meanWait)
    return { ...after, waiting: withMean(after.waiting, meanOf(after.waiting) + moved) }
  })
}

/**
 * Replaces a step by two that run in parallel. Each has all its approvers and half the work with the same spread. Their
 * approval rates multiply to the old one.
 */
function splitStep(model: WorkflowModel, { stage, index }: Place): WorkflowModel {
  const steps = (model[stage] ?? []).flatMap((step, place) => {
    if (place !== index) return step
    const { station, waiting, working, approvalRate } = step
    // Each half has the use of half the approvers, who finish twice as many halves as they did whole steps.
    const half: Station = { ...station, servers: station.servers / 2 }
    const part: StepModel = {
      ...step,
      approvalRate: Math.sqrt(approvalRate),
      station: half,
      waiting: withMean(waiting, meanWaitMs(half)),
      working: withMean(working, meanOf(working) / 2),
    }
    return [part, part]
  })
  return replaceStages(model, stage, 1, [steps])
}

/** Moves a step into the preceding stage, so that both are assigned at the same time. */
function runInParallel(model: WorkflowModel, { stage, index }: Place): WorkflowModel {
  const before = model[stage - 1] ?? []
  const own = model[stage] ?? []
  const moved = own[index]
  const [firstBefore] = before
  if (!moved || !firstBefore) return model
  const { arrivalRate, arrivalScv } = firstBefore.station
  const times = (step: StepModel): SampledDistribution => addSamples(step.waiting, step.working)
  // A rejection withdraws the other assignments, whose work is then never finished.
  const all = [...before, moved]
  const first = meanStageTime(all.map((other) => ({ times: times(other), approvalRate: 0 })))
  const together = all.map((step) => {
    const others = all.filter((other) => other !== step)
    const approved = others.reduce((product, other) => product * other.approvalRate, 1)
    const done = approved + (1 - approved) * (first / meanOf(times(step)))
    return atStation(step, { ...step.station, arrivalRate: arrivalRate * done, arrivalScv })
  })
  const left = own.filter((step) => step !== moved)
  return replaceStages(model, stage - 1, 2, left.length > 0 ? [together, left] : [together])
}

function replaceStep(
  model: WorkflowModel,
  { stage, index }: Place,
  change: (step: StepModel) => StepModel,
): WorkflowModel {
  const steps = model[stage] ?? []
  return replaceStages(model, stage, 1, [steps.map((step, position) => (position === index ? change(step) : step))])
}
