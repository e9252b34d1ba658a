/** Finds out how long approvers take for a step. */
import type { Profile } from '../../src/profile/profile.ts'
import type { Course, SeenDecision } from './courses.ts'
import { median } from './time-facts.ts'

/** The end of a stage of an execution. */
interface StageEnd {
  /** The number of stages that are over. */
  readonly stages: number
  /** The time since the execution was asked for, in milliseconds. */
  readonly ms: number
  /** True if an answer shows the time. */
  readonly isTimed: boolean
}

/** The most ends that are compared with each other. */
const mostEnds = 200

/**
 * Returns the pace of the approvers of executions that went on by themselves until they ended; undefined if nothing shows it. It is the
 * line through the ends of their stages (Theil-Sen): each stage adds the time of a step, and the rest is the time until the first is
 * taken up, of which the shortest counts, since a busy deployment only delays it.
 *
 * If no answer shows a time, decisions were taken in the middle between the last read without them and the first read with them;
 * several that are one after the other divide that interval evenly.
 */
export function paceIn(courses: readonly Course[]): Profile['pace'] {
  const all = courses.filter(({ isAtOnce, hasEnded }) => hasEnded && !isAtOnce).flatMap(stageEnds)
  const timed = all.filter(({ isTimed }) => isTimed)
  const ends = (timed.length > 0 ? timed : all).slice(0, mostEnds)
  if (ends.length === 0) return undefined
  const slopes = ends.flatMap((one) =>
    ends.flatMap((other) => (one.stages < other.stages ? [(other.ms - one.ms) / (other.stages - one.stages)] : [])),
  )
  const perStep = slopes.length > 0 ? slopes : ends.map(({ ms, stages }) => ms / stages)
  const stepMs = Math.max(0, median(perStep))
  const pickUpMs = Math.max(0, Math.min(...ends.map(({ ms, stages }) => ms - stages * stepMs)))
  // Executions that go on are not over at once.
  return pickUpMs < unit
    ? { pickUpMs: 0, stepMs: Math.max(unit, rounded(stepMs)) }
    : { pickUpMs: rounded(pickUpMs), stepMs: rounded(stepMs) }
}

/** What times are rounded to, in milliseconds. */
const unit = 10
const rounded = (ms: number) => Math.round(ms / unit) * unit

/** Returns the ends of the stages of an execution, or only its own end if its steps are not known. */
function stageEnds({ exchange, stages, decisions }: Course): StageEnd[] {
  // The execution began while its call was under way.
  const start = exchange.at + exchange.durationMs / 2
  const last = decisions.at(-1)
  const isKnown = decisions.every(({ stepId }) => stepId !== undefined)
  if (!isKnown || stages.length === 0) {
    const end = {
      stages: Math.max(1, stages.length),
      ms: timeOf(last, 1, 1) - start,
      isTimed: last?.after === undefined,
    }
    return last ? [end] : []
  }
  const ends = stages
    .flatMap((stage) => {
      const own = decisions.filter(({ stepId, decision }) => decision === 'approved' && stage.includes(stepId ?? ''))
      return own.length === stage.length ? (own.at(-1) ?? []) : []
    })
    .toSorted((a, b) => a.at - b.at)
  return ends.map((end, index) => {
    const together = ends.filter((other) => other.at === end.at && other.after === end.after)
    const ms = timeOf(end, together.indexOf(end) + 1, together.length) - start
    return { stages: index + 1, ms, isTimed: end.after === undefined }
  })
}

/** Returns the time of a decision, the `place`-th of `count` that were seen by the same read. */
function timeOf(decision: SeenDecision | undefined, place: number, count: number): number {
  const { at = 0, after } = decision ?? {}
  return after === undefined ? at : after + ((at - after) * place) / (count + 1)
}
