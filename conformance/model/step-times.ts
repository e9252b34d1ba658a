/** The times at which the steps of executions started and ended, told by their values: no name is read. */
import { leavesOf, numberOf } from '../reading/places.ts'
import { precisionOf, timeOf } from '../reading/times.ts'
import { isParallel, isSequential, lastRows, nothing, type Phases, type ProgressRow, sentTexts } from './phases.ts'

/** Clocks may differ by this many milliseconds, and a server may note a start before the end that led to it. */
const skew = 5
/** An overlap or a gap of this many milliseconds is no coincidence. */
const clear = 50

/** The latest row of an execution, with two places of its steps as a start and an end. */
export interface ShownTimes {
  readonly row: ProgressRow
  readonly start: string
  readonly end: string
  /** The times as they are shown. */
  readonly values: string
}

/** Two places of which the first is never later, with the times of all executions that have at least two such steps. */
interface Pair {
  readonly start: string
  readonly end: string
  readonly works: readonly Work[]
}

interface Work {
  readonly row: ProgressRow
  readonly intervals: readonly { readonly start: number; readonly end: number }[]
  /** The precision of the times, at least that of a clear difference. */
  readonly unit: number
}

/** What the times of executions say of their order. */
export interface Times {
  /** A pair in which each step of the sequential workflows begins at or after the end of the one before it. */
  readonly inTurn?: Pick<Pair, 'start' | 'end'>
  /** A pair in which the steps of a parallel workflow were at work at the same time, and those of sequential ones were not. */
  readonly together?: Pick<Pair, 'start' | 'end'>
  /** A sequential workflow in which a later step began or ended clearly before the end of an earlier one. */
  readonly early?: ShownTimes
  /** A parallel workflow in which each step began at the end of the one before it. */
  readonly relayed?: ShownTimes
}

/** Returns what the times of the steps say of their order. */
export function timesIn(phases: Phases): Times {
  const last = lastRows([...phases.partial, ...phases.rows])
  const pairs = pairsIn(last)
  const inTurn = pairs.find(
    (pair) => worksOf(pair, isSequential).length > 0 && worksOf(pair, isSequential).every(isInTurn),
  )
  const overlap = inTurn ? undefined : pairs.flatMap((pair) => overlapIn(pair) ?? []).at(0)
  const relayed = pairs
    .filter((pair) => worksOf(pair, isSequential).some(isRelay))
    .flatMap((pair) =>
      worksOf(pair, isParallel)
        .filter(isRelay)
        .map((work) => shownOf(work.row, pair)),
    )
    .at(0)
  const early = backwards(phases, last) ?? overlap
  const isTogether = (work: Work) => isLong(work) && gapsOf(work).every((gap) => gap < -work.unit)
  const beside = inTurn ? worksOf(inTurn, isParallel) : []
  const together = beside.length > 0 && beside.every(isTogether) ? inTurn : undefined
  return {
    ...(inTurn && { inTurn }),
    ...(together && { together }),
    ...(early && { early }),
    ...(relayed && { relayed }),
  }
}

const worksOf = ({ works }: Pair, of: typeof isSequential) => works.filter(({ row }) => of(row.run))

function shownOf(row: ProgressRow, { start, end }: Pick<Pair, 'start' | 'end'>): ShownTimes {
  const values = row.steps.map(({ shown }) => `${shown.get(start) ?? nothing} to ${shown.get(end) ?? nothing}`)
  return { row, start, end, values: values.join(', ') }
}

/** Returns a time in milliseconds, or a number that may count seconds since some start. */
const timeAt = (value: unknown) => timeOf(value) ?? numberOf(value)
const isClock = (value: unknown) => timeOf(value) !== undefined

function pairsIn(last: readonly ProgressRow[]): Pair[] {
  const values = last.flatMap(({ steps }) => steps.flatMap(({ shown }) => [...shown]))
  const places = [...new Set(values.flatMap(([place, value]) => (timeAt(value) === undefined ? [] : [place])))]
  const pairs = places.flatMap((start) => places.map((end) => ({ start, end })))
  return pairs.flatMap(({ start, end }) => {
    if (start === end) return []
    const works = last.flatMap((row) => workIn(row, start, end) ?? [])
    const all = works.flatMap(({ intervals }) => intervals)
    const isPair = all.every((one) => one.start <= one.end) && all.some((one) => one.start < one.end)
    return isPair && works.length > 0 ? [{ start, end, works }] : []
  })
}

function workIn(row: ProgressRow, start: string, end: string): Work | undefined {
  const sent = sentTexts(row.run)
  const timeIn = (value: unknown) => (sent.has(String(value)) ? undefined : timeAt(value))
  const shown = row.steps.map(({ shown }) => [shown.get(start), shown.get(end)] as const)
  const intervals = shown.flatMap(([from, to]) => {
    const [one, other] = [timeIn(from), timeIn(to)]
    const isAlike = isClock(from) === isClock(to)
    return one === undefined || other === undefined || !isAlike ? [] : [{ start: one, end: other }]
  })
  if (intervals.length < 2) return undefined
  const areClocks = shown.some(([from]) => isClock(from))
  const unit = areClocks ? Math.max(clear, precisionOf(intervals.flatMap((one) => [one.start, one.end]))) : 0
  return { row, intervals, unit }
}

const gapsOf = ({ intervals }: Work) =>
  intervals.slice(1).map(({ start }, index) => start - (intervals[index]?.end ?? start))
const isLong = ({ intervals, unit }: Work) => intervals.every(({ start, end }) => end - start > 2 * unit)
const isNear = (gap: number, { unit }: Work) => gap >= -Math.min(skew, unit) && gap <= unit

const isInTurn = (work: Work) => isLong(work) && gapsOf(work).every((gap) => gap >= -work.unit)
const isRelay = (work: Work) => isLong(work) && gapsOf(work).every((gap) => isNear(gap, work))

/**
 * Returns the times of a sequential workflow in which a step began clearly before the end of the one before it. The places are those of
 * starts and ends if a step begins at the very end of another, or if only the steps of sequential workflows start apart.
 */
function overlapIn(pair: Pair): ShownTimes | undefined {
  const [own, others] = [worksOf(pair, isSequential), worksOf(pair, isParallel)]
  const handsOn = own.some((work) =>
    gapsOf(work).some((gap, index) => isNear(gap, work) && lengthAt(work, index) > 2 * work.unit),
  )
  const startsOf = ({ intervals }: Work) => intervals.map(({ start }) => start)
  const isTogether = (work: Work) => Math.max(...startsOf(work)) - Math.min(...startsOf(work)) <= work.unit
  const isApart = (work: Work) =>
    startsOf(work).every((start, index, all) => index === 0 || start - (all[index - 1] ?? start) > work.unit)
  const areTold = others.length > 0 && others.every(isTogether) && own.every(isApart)
  const isEarly = (work: Work) => gapsOf(work).some((gap) => gap < -work.unit)
  const goesBack = (work: Work) =>
    startsOf(work).some((start, index, all) => (all[index - 1] ?? start) - start > work.unit)
  // A step may be assigned ahead of its turn, but not before the one before it.
  const wrong = own.find(
    (work) => (isEarly(work) && (areTold || (handsOn && goesBack(work)))) || isOtherChain(work, pair.start),
  )
  return wrong && shownOf(wrong.row, pair)
}

/** The least number of steps, each beginning as another one ends, that no chance makes, and how long each of them is in milliseconds. */
const [shortestChain, shortestLink] = [3, 20]

/**
 * Returns true for steps of which each begins at the end of another one, but not of the one before it, or the first one as the execution
 * began, though an earlier one is not shown.
 */
function isOtherChain({ row, intervals, unit }: Work, start: string): boolean {
  const inTime = intervals.toSorted((a, b) => a.start - b.start)
  const isLink = (one: (typeof intervals)[number], index: number) =>
    one.end - one.start >= shortestLink && Math.abs(one.start - (inTime[index - 1]?.end ?? one.start)) <= skew
  if (unit === 0 || inTime.length < shortestChain || !inTime.every(isLink)) return false
  const isFirst = ({ value }: { readonly value: unknown }) => timeOf(value) === inTime[0]?.start
  const isUnshown = timeOf(row.steps[0]?.shown.get(start)) === undefined
  return (
    inTime.some((one, index) => one !== intervals[index]) ||
    (isUnshown && leavesOf(row.exchange.json).filter(isFirst).length > 1)
  )
}

const lengthAt = ({ intervals }: Work, index: number) => (intervals[index]?.end ?? 0) - (intervals[index]?.start ?? 0)

/** Returns a sequential workflow in which times that were filled in one after the other are clearly earlier for a later step. */
function backwards({ rows, phaseOf }: Phases, last: readonly ProgressRow[]): ShownTimes | undefined {
  for (const row of last.filter(({ run }) => isSequential(run))) {
    const [first] = row.steps
    // The times of a step may be corrected until it has ended.
    const ended = row.steps.filter((step) => first && phaseOf(step) === phaseOf(first))
    for (const [place] of first?.shown ?? []) {
      const times = ended.flatMap(({ shown }) => timeOf(shown.get(place)) ?? [])
      const unit = Math.max(clear, precisionOf(times))
      const isBackwards = times.some((time, index) => index > 0 && (times[index - 1] ?? time) - time > unit)
      const isFilledIn = rows.some(({ steps }) => steps.some(({ words }) => words.get(place) === nothing))
      if (isBackwards && isFilledIn) return shownOf(row, { start: place, end: place })
    }
  }
  return undefined
}
