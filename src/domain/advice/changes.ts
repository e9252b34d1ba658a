/** Applies each kind of recommendation to the model of a workflow. */
import { meanWaitMs, type Station, sum } from '../analytics/queueing.ts'
import { addSamples, meanOf, meanStageTime, type SampledDistribution, withMean } from './samples.ts'
import { type ApproverModel, atStation, replaceStages, type StepModel, type WorkflowModel } from './workflow-model.ts'

/** The position of a step in a model. */
export interface Place {
  readonly stage: number
  readonly index: number
}

/** Adds an approver whose work times are distributed as the step's are on average. */
export function addApprover(model: WorkflowModel, place: Place): WorkflowModel {
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
export function removeApprover(model: WorkflowModel, place: Place, email: string): WorkflowModel {
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
export function splitStep(model: WorkflowModel, { stage, index }: Place): WorkflowModel {
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
export function runInParallel(model: WorkflowModel, { stage, index }: Place): WorkflowModel {
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
