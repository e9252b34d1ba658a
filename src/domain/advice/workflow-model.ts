import type { Analytics } from '../analytics/analytics.ts'
import type { DurationSketch } from '../analytics/durations.ts'
import { commonWait, departureScv, meanWaitMs, type Station, sum, utilisation } from '../analytics/queueing.ts'
import { type Step, stagesOf } from '../approval/workflow.ts'

/** A distribution, represented by equally likely values in ascending order. */
export type SampledDistribution = readonly number[]

/** The number of values that represent a distribution. */
const count = 200
/** The midpoints of as many equal parts of the range from 0 to 1. */
export const midpoints: readonly number[] = Array.from({ length: count }, (_, index) => (index + 0.5) / count)

export function meanOf(samples: SampledDistribution): number {
  return sum(samples) / samples.length
}

/** The record of one approver in a step; times in milliseconds. */
export interface ApproverModel {
  readonly email: string
  readonly decisions: number
  readonly meanWait: number
  readonly meanWork: number
  /** Variance over squared mean of the work. */
  readonly workScv: number
  /** The time that the next best approver was expected to take, whenever work went to this one. */
  readonly meanNextBest: number
  /** Pieces of work that this approver can finish per millisecond. */
  readonly rate: number
}

/** A step, modelled from its analytics; times in milliseconds. */
export interface StepModel {
  readonly step: Step
  /** Its share of the completion time: the most that a change to the step can save. */
  readonly criticalShare: number
  readonly approvalRate: number
  readonly station: Station
  readonly approvers: readonly ApproverModel[]
  readonly waiting: SampledDistribution
  readonly working: SampledDistribution
}

/** A workflow as a network of queues: sequential stages of parallel steps. */
export type WorkflowModel = readonly (readonly StepModel[])[]

/** Models a workflow from its analytics; undefined if any step has fewer than `fewest` decisions. */
export function modelOf(analytics: Analytics, fewest: number): WorkflowModel | undefined {
  const { workflow } = analytics
  if (workflow.steps.some(({ step_id: stepId }) => analytics.step(stepId).working.count < fewest)) return undefined
  const spent = timeSpent(analytics)
  return stagesOf(workflow).map((steps) => steps.map((step) => stepModel(analytics, step, spent)))
}

function stepModel(analytics: Analytics, step: Step, spent: TimeSpent): StepModel {
  const fold = analytics.step(step.step_id)
  const { gaps } = fold.arrivals
  const approvers = step.approvers.map(({ email }): ApproverModel => {
    const { waiting, working, nextBest } = fold.approver(email)
    const meanWork = working.count > 0 ? working.meanMs : fold.working.meanMs
    const rate = timeLeft(spent, step, email) / Math.max(1, meanWork)
    return {
      email,
      decisions: working.count,
      meanWait: waiting.meanMs,
      meanWork,
      workScv: working.scv,
      meanNextBest: nextBest.meanMs,
      rate,
    }
  })
  return {
    step,
    criticalShare: fold.critical.totalMs / Math.max(1, analytics.completion.totalMs),
    approvalRate: fold.approved / (fold.approved + fold.rejected),
    station: {
      arrivalRate: 1 / Math.max(1, gaps.meanMs),
      arrivalScv: gaps.scv,
      servers: approvers.length,
      capacity: sum(approvers.map(({ rate }) => rate)),
      workScv: fold.working.scv,
    },
    approvers,
    waiting: samplesOf(fold.waiting),
    working: samplesOf(fold.working),
  }
}

/** The shares of each approver's time that go into the steps, by email address. */
type TimeSpent = ReadonlyMap<string, readonly { readonly stepId: string; readonly share: number }[]>

function timeSpent(analytics: Analytics): TimeSpent {
  const spent = new Map<string, { readonly stepId: string; readonly share: number }[]>()
  for (const { step_id: stepId, approvers } of analytics.workflow.steps) {
    const fold = analytics.step(stepId)
    for (const email of new Set(approvers.map((approver) => approver.email))) {
      const share = fold.approver(email).working.totalMs / Math.max(1, fold.arrivals.gaps.totalMs)
      const shares = spent.get(email) ?? []
      shares.push({ stepId, share })
      spent.set(email, shares)
    }
  }
  return spent
}

/** Returns the share of an approver's time that the other steps of the workflow leave. */
function timeLeft(spent: TimeSpent, step: Step, email: string): number {
  const others = (spent.get(email) ?? []).filter(({ stepId }) => stepId !== step.step_id)
  // Even if the other steps seem to take all of the approver's time, some is left: the step does get done.
  return Math.max(0.05, 1 - sum(others.map(({ share }) => share)))
}

function samplesOf(sketch: DurationSketch): SampledDistribution {
  return withMean(sketch.quantiles(midpoints), sketch.meanMs)
}

/** Returns the mean completion time in milliseconds over all executions, including those that a rejection ends early. */
export function meanCompletion(model: WorkflowModel): number {
  let reached = 1
  let total = 0
  for (const stage of model) {
    total += reached * meanStage(stage)
    for (const { approvalRate } of stage) reached *= approvalRate
  }
  return total
}

/** The means of stages, since several models share them. */
const stageMeans = new WeakMap<readonly StepModel[], number>()

function meanStage(stage: readonly StepModel[]): number {
  const mean = stageMeans.get(stage) ?? computeMeanStage(stage)
  stageMeans.set(stage, mean)
  return mean
}

/**
 * Computes the mean time of a stage, in milliseconds. Its steps get the same arrivals, so a burst makes work wait in all of
 * them. The result interpolates between independent waits and fully correlated ones.
 */
function computeMeanStage(stage: readonly StepModel[]): number {
  const [first, ...others] = stage
  if (!first) return 0
  if (others.length === 0) return meanOf(first.waiting) + meanOf(first.working)
  // The cost grows with values times steps, so with many steps each gets fewer values.
  const every = Math.ceil((stage.length * midpoints.length) / mostValues)
  const coarse = (samples: SampledDistribution) => samples.filter((_, index) => index % every === every >> 1)
  const alike = Math.min(...others.map((other) => commonWait(first.station, other.station)))
  const apart = meanStageTime(
    stage.map(({ waiting, working, approvalRate }) => ({ times: coarse(addSamples(waiting, working)), approvalRate })),
  )
  const together = waitIndices.map((index) =>
    meanStageTime(
      stage.map(({ waiting, working, approvalRate }) => {
        const wait = waiting[index] ?? 0
        return { times: coarse(working).map((work) => wait + work), approvalRate }
      }),
    ),
  )
  return alike * (sum(together) / waitIndices.length) + (1 - alike) * apart
}

/** The most values that represent the distributions of a stage. */
const mostValues = 1000
/** Ten of the waits, evenly spread over their distribution. */
const waitIndices = midpoints.flatMap((_, index) => (index % 20 === 10 ? index : []))

/** Returns the step at another station: the work stays the same, and the wait follows from the queueing formulas. */
export function atStation(step: StepModel, station: Station): StepModel {
  return { ...step, station, waiting: withMean(step.waiting, predictedWait(step, station)) }
}

function predictedWait({ station: old, waiting }: StepModel, station: Station): number {
  const expected = meanWaitMs(old)
  const predicted = meanWaitMs(station)
  if (expected === 0) return predicted
  if (expected === Number.POSITIVE_INFINITY) {
    // Under overload, work piles up as long as it arrives, in proportion to the overload.
    const growth = Math.max(0, utilisation(station) - 1) / Math.max(0.01, utilisation(old) - 1)
    return predicted === Number.POSITIVE_INFINITY ? meanOf(waiting) * growth : Math.min(predicted, meanOf(waiting))
  }
  // The error of the formulas is assumed to stay the same after the change. Near full load it cannot be measured.
  const weight = Math.min(1, (1 - utilisation(old)) / 0.2)
  return predicted * (meanOf(waiting) / expected) ** weight
}

/**
 * Replaces stages and propagates the change: the variability of arrivals at later stages changes, and so do their waits.
 * The departures of a stage are those of its busiest step.
 */
export function replaceStages(model: WorkflowModel, from: number, remove: number, stage: WorkflowModel): WorkflowModel {
  const removed = model.slice(from, from + remove)
  let change = flowOf(stage) - flowOf(removed)
  const behind = model.slice(from + remove).map((old) => {
    if (change === 0) return old
    const now = old.map((step) => {
      const arrivalScv = Math.max(0, step.station.arrivalScv + change)
      return atStation(step, { ...step.station, arrivalScv })
    })
    change = flowOf([now]) - flowOf([old])
    return now
  })
  return [...model.slice(0, from), ...stage, ...behind]
}

function flowOf(stages: WorkflowModel): number {
  const stations = stages.at(-1)?.map(({ station }) => station) ?? []
  const [busiest] = stations.toSorted((a, b) => utilisation(b) - utilisation(a))
  return busiest ? departureScv(busiest) : 1
}

/** Scales samples to another mean. All-zero samples become constant. */
export function withMean(samples: SampledDistribution, mean: number): SampledDistribution {
  const old = meanOf(samples)
  return samples.map((value) => (old > 0 ? (value * mean) / old : mean))
}

/** Returns samples of the sum of two independent quantities. */
export function addSamples(a: SampledDistribution, b: SampledDistribution): SampledDistribution {
  // Steps of the golden ratio pair each part of one evenly with all parts of the other.
  return a
    .map((value, index) => value + (b[Math.floor(((index * 0.618033988749895) % 1) * b.length)] ?? 0))
    .sort((x, y) => x - y)
}

/** A step that may end a stage: its duration, and the probability of approval. */
interface Branch {
  readonly times: SampledDistribution
  readonly approvalRate: number
}

/**
 * Returns the mean time of a stage of independent steps: until all are approved or the first is rejected, whichever comes
 * first. A stage lasts longer than t if by t there is no rejection and at least one approval is missing.
 */
export function meanStageTime(branches: readonly Branch[]): number {
  const ends = Float64Array.from(branches.flatMap(({ times }) => times)).sort()
  const passed = branches.map(() => 0)
  let total = 0
  let last = 0
  for (const end of ends) {
    if (end === last) continue
    let noRejection = 1
    let allApproved = 1
    for (const [index, { times, approvalRate }] of branches.entries()) {
      const count = countUpTo(times, last, passed[index] ?? 0)
      passed[index] = count
      noRejection *= 1 - ((1 - approvalRate) * count) / times.length
      allApproved *= (approvalRate * count) / times.length
    }
    total += (end - last) * (noRejection - allApproved)
    last = end
  }
  return total
}

function countUpTo(times: SampledDistribution, end: number, from: number): number {
  let passed = from
  while (passed < times.length && (times[passed] ?? 0) <= end) passed += 1
  return passed
}
