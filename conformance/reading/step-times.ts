/**
 * Finds the times at which the steps of an execution started and ended. A pair of times is proven if it follows `isSequential`: the
 * steps of sequential workflows do not overlap, and those of parallel workflows do. Other pairs count only if their names mean start
 * and end and the starts differ, since a deployment may show the start of the execution beside each of its steps.
 */

import type { Finding } from './finding.ts'
import { lastName } from './locate.ts'
import { remember } from './names.ts'
import {
  executionKinds,
  isState,
  lacksLast,
  marksLast,
  nothing,
  type StepHistories,
  type StepHistory,
  type StepsAtPlaces,
  type StepValues,
  timeOf,
  type ValuesAtPlace,
} from './step-progress.ts'
import { precisionOf, timeUnits } from './times.ts'
import { hasRole, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

/** Two places of a list of steps that show when a step was at work. */
export interface TimePlaces extends Pick<Finding, 'rule' | 'strength'> {
  readonly start: string
  readonly end: string
}

/** The time of a step at work, in milliseconds. */
interface Interval {
  readonly start: number
  readonly end: number
}

/** The times of an execution's steps, by their order. Undefined for a step that has not ended. */
interface Work {
  readonly intervals: readonly (Interval | undefined)[]
  /** The times as they are shown. */
  readonly values: StepValues
  /** The precision of the times. */
  readonly unit: number
}

/** Executions of workflows that were sent with `isSequential: true`. The workflow without `isSequential` is under test, and proves nothing. */
const sequentialOnes = ['sequential', 'shuffled'] as const
type Sequential = (typeof sequentialOnes)[number]

/** Clocks may differ by this many milliseconds, and a server may note a start before the end that led to it. */
const skew = 5
/** An overlap or a step of this many milliseconds is no coincidence. */
const clear = 50

/** Returns all pairs of places with times of which the first is never later. */
function possiblePairs(histories: StepHistories): Pair[] {
  const places = new Set(
    Object.values(histories).flatMap(({ after }: StepHistory) => after.flatMap((shown) => timesIn(shown))),
  )
  return [...places]
    .flatMap((start) => [...places].map((end) => ({ start, end })))
    .filter((pair) => pair.start !== pair.end && listOf(pair.start) === listOf(pair.end) && isPossible(histories, pair))
}

/** Returns the places that show when steps were at work, first those that are proven to. */
export function timePlaces(histories: StepHistories): TimePlaces[] {
  const found = possiblePairs(histories).flatMap((pair): TimePlaces[] => {
    const rule = ruleFor(histories, pair)
    return rule ? [{ ...pair, ...rule }] : []
  })
  return found.sort((a, b) => Number(b.strength === 'proven') - Number(a.strength === 'proven'))
}

type Pair = Pick<TimePlaces, 'start' | 'end'>

const timesIn = (shown: StepsAtPlaces) =>
  [...shown].flatMap(([place, values]) => (values.some((value) => timeAt(place, value) !== undefined) ? [place] : []))

/** Returns the time that a place shows, in milliseconds: since 1970, or since the start of the execution. */
const timeAt = (place: string, value: string) => timeOf(value).ms ?? sinceStart(place, value)

function sinceStart(place: string, value: string): number | undefined {
  const unit = unitIn(lastName(place)).ms
  const number = unit === undefined ? undefined : Number(value.replaceAll('"', ''))
  return unit === undefined || number === undefined || Number.isNaN(number) ? undefined : number * unit
}

/** Returns the unit with which a name of a start or an end closes, such as `beginMinute` and `fin_s`, in milliseconds. */
const unitIn = remember((name): { readonly ms: number | undefined } => {
  const terms = termsOf(name)
  const ms = timeUnits.get(terms.at(-1)?.word ?? '')
  return { ms: mentionsRole(terms.slice(0, -1), 'begun', 'ended') ? ms : undefined }
})

/** The length of the least step of a shown number: 0.1 minutes for 2.5 minutes. */
function precisionAt(place: string, values: StepValues): number | undefined {
  const unit = unitIn(lastName(place)).ms
  const digits = values.map((value) => value.replaceAll('"', '').split('.')[1]?.length ?? 0)
  return unit && unit / 10 ** Math.max(...digits)
}
const listOf = (place: string) => place.slice(0, place.lastIndexOf('/*'))

function ruleFor(histories: StepHistories, pair: Pair): Pick<TimePlaces, 'rule' | 'strength'> | undefined {
  if (isApart(histories, pair) && isTogether(histories, pair)) {
    return {
      strength: 'proven',
      rule: 'are apart for the steps of a sequential workflow, and overlap for those of another',
    }
  }
  if (isStaggered(histories, pair)) {
    return { strength: 'proven', rule: 'begin together unless the workflow is sequential' }
  }
  if (!isPlainly(pair.start, 'begun')) return undefined
  if (isPlainly(pair.end, 'ended')) {
    return { strength: 'named', rule: 'are called the start and the end of each step' }
  }
  return isHandedOn(histories, pair) && isTogether(histories, pair)
    ? { strength: 'named', rule: 'are called the start, and the time at which the second step starts after the first' }
    : undefined
}

/** Returns true if the second step of each sequential workflow starts at the moment at which the first one ends. */
function isHandedOn(histories: StepHistories, pair: Pair): boolean {
  const works = worksOf(histories, pair)
  return (
    works.length > 0 &&
    works.every(({ work: { intervals } }) => {
      const [first, second] = intervals
      return first && second && lengthOf(first) > clear && Math.abs(second.start - first.end) <= skew
    })
  )
}

/** Returns true if all words of a name are those of a moment with one of the roles. */
function isPlainly(place: string, ...roles: readonly Role[]): boolean {
  const terms = termsOf(lastName(place))
  const isPlain = (term: Term) =>
    hasRole(term, ...roles, 'moment', 'duration', 'step', 'linking') || timeUnits.has(term.word)
  return mentionsRole(terms, ...roles) && terms.every(isPlain)
}

/** Returns the latest times of an execution. */
function workAt({ after }: StepHistory, { start, end }: Pair): Work | undefined {
  const works = after.flatMap((shown): Work[] => {
    const [starts, ends] = [shown.get(start) ?? [], shown.get(end) ?? []]
    const times = [...starts, ...ends].flatMap((text) => timeOf(text).ms ?? [])
    const intervals = starts.map((text, index) => {
      const [from, to] = [timeAt(start, text), timeAt(end, ends[index] ?? '')]
      return from === undefined || to === undefined ? undefined : { start: from, end: to }
    })
    const values = starts.map((from, index) => `${from} to ${ends[index]}`)
    const precisions = [precisionAt(start, starts), precisionAt(end, ends)].map((one) => one ?? 0)
    const unit = Math.max(...precisions) || precisionOf(times)
    return intervals.some((one) => one) ? [{ intervals, values, unit }] : []
  })
  return works.at(-1)
}

/** Returns true if no step ends before it starts. */
function isPossible(histories: StepHistories, pair: Pair): boolean {
  return Object.values(histories).every((history: StepHistory) =>
    (workAt(history, pair)?.intervals ?? []).every((one) => one === undefined || one.start <= one.end),
  )
}

/** Returns pairs of steps that have ended, the first with the lower order. */
const pairsIn = ({ intervals }: Work) => {
  const ended = intervals.flatMap((one) => one ?? [])
  return ended.flatMap((one, index) => ended.slice(index + 1).map((later) => [one, later] as const))
}

const lengthOf = ({ start, end }: Interval) => end - start
/** Returns true if one step was at work while another one was, for longer than clocks and rounding explain. */
const overlap = (one: Interval, other: Interval, { unit }: Work, least = clear) => {
  const both = Math.min(one.end, other.end) - Math.max(one.start, other.start)
  return both > Math.max(least, unit) && both * 10 > Math.min(lengthOf(one), lengthOf(other))
}
/** Returns true if a step was at work and done before another one began. */
const precedes = (one: Interval, other: Interval, { unit }: Work) => {
  const tolerance = Math.max(skew, unit)
  return other.start >= one.end - tolerance && [one, other].every((each) => lengthOf(each) > 2 * tolerance)
}

function worksOf(histories: StepHistories, pair: Pair) {
  return sequentialOnes.flatMap((of) => {
    const history = histories[of]
    const work = history && workAt(history, pair)
    return work && pairsIn(work).length > 0 ? [{ of, work }] : []
  })
}

function isApart(histories: StepHistories, pair: Pair): boolean {
  const works = worksOf(histories, pair)
  const areApart = ({ work }: { work: Work }) =>
    pairsIn(work).every(([one, other]) => precedes(one, other, work) || precedes(other, one, work))
  return works.length > 0 && works.every(areApart)
}

/** Returns true if the steps of a workflow that is not sequential were at work at the same time. */
export function isTogether({ parallel }: StepHistories, pair: Pair): boolean {
  const work = parallel && workAt(parallel, pair)
  const pairs = work ? pairsIn(work) : []
  return work !== undefined && pairs.length > 0 && pairs.every(([one, other]) => overlap(one, other, work, skew))
}

/** Returns true if each step of sequential workflows starts clearly later than the one before it, but those of another at once. */
function isStaggered(histories: StepHistories, pair: Pair): boolean {
  const together = histories.parallel && workAt(histories.parallel, pair)
  if (!together || pairsIn(together).length === 0) return false
  const spread = Math.max(...pairsIn(together).map(([one, other]) => Math.abs(other.start - one.start)))
  const works = worksOf(histories, pair)
  const isLater = ({ work }: { work: Work }) =>
    pairsIn(work).every(([one, other]) => other.start - one.start > Math.max(clear, work.unit, 10 * spread))
  return works.length > 0 && works.every(isLater)
}

/** Returns true if each step of the sequential workflows began after the end of the one before it. */
export function isInTurn(histories: StepHistories, pair: Pair): boolean {
  const works = worksOf(histories, pair)
  return (
    works.length > 0 && works.every(({ work }) => pairsIn(work).every(([one, other]) => precedes(one, other, work)))
  )
}

/**
 * Returns true if a step was clearly at work during another one. All starts that are the same may be that of the execution, but not those
 * of two steps clearly after another step has started.
 */
const beginsDuring = (one: Interval, other: Interval, work: Work) => {
  const first = Math.min(...work.intervals.flatMap((interval) => interval?.start ?? []))
  const isLater = [one.start - other.start, other.start - one.start, Math.min(one.start, other.start) - first]
  return Math.max(...isLater) > Math.max(clear, work.unit) && overlap(one, other, work)
}

/** Returns true unless times without a date may count from the start of each step: then no step begins at the end of another. */
const isSinceOneStart = ({ start }: Pair, work: Work) =>
  unitIn(lastName(start)).ms === undefined ||
  pairsIn(work).some(([one, other]) => other.start > 0 && other.start === one.end)

/** Returns a sequential workflow in which a later step began clearly before the end of an earlier one, and its times. */
export function earlyStart(
  histories: StepHistories,
  pair: Pair,
): { readonly of: Sequential; readonly values: StepValues } | undefined {
  const found = worksOf(histories, pair).find(
    ({ work }) =>
      isSinceOneStart(pair, work) &&
      pairsIn(work).some(([one, other]) => precedes(other, one, work) || beginsDuring(one, other, work)),
  )
  return found && { of: found.of, values: found.work.values }
}

/** Returns a sequential workflow in which a later step had begun while an earlier one had not, and its times then. */
export function unbegun(
  histories: StepHistories,
  { start, end }: Pair,
): { readonly of: Sequential; readonly values: StepValues } | undefined {
  for (const of of sequentialOnes) {
    for (const shown of histories[of]?.after ?? []) {
      const [starts, ends] = [shown.get(start) ?? [], shown.get(end) ?? []]
      const first = starts.indexOf(nothing)
      if (first < 0 || !starts.slice(first).some((text) => timeAt(start, text) !== undefined)) continue
      return { of, values: starts.map((from, index) => `${from} to ${ends[index] ?? nothing}`) }
    }
  }
  return undefined
}

/**
 * Returns a sequential workflow in which a later step ended clearly before an earlier one. Its times are called those of ends or
 * decisions, and a step got its own only after an answer that lacked it: so they are no deadlines.
 */
export function endedOutOfOrder(histories: StepHistories): (ValuesAtPlace & { readonly of: Sequential }) | undefined {
  return sequentialOnes
    .flatMap((of) => {
      const after = histories[of]?.after ?? []
      const places = new Set(after.flatMap((shown) => [...shown.keys()]))
      return [...places].flatMap((place) => {
        if (!isPlainly(place, 'ended', 'decided')) return []
        const shown = after.flatMap((one) => one.get(place) ?? [])
        const values = after.findLast((one) => one.has(place))?.get(place) ?? []
        return shown.includes(nothing) && isBackwards(values) ? [{ of, place, values }] : []
      })
    })
    .at(0)
}

/** Returns true if a later step has a time that is clearly before that of an earlier one. */
function isBackwards(values: StepValues): boolean {
  const times = values.flatMap((value) => timeOf(value).ms ?? [])
  const least = Math.max(clear, precisionOf(times))
  return times.some((time, index) => times.slice(0, index).some((earlier) => earlier - time > least))
}

/** Returns the times of the workflow that was sent without `isSequential` if its steps were at work at the same time. */
export function overlapByDefault({ byDefault }: StepHistories, pair: Pair): StepValues | undefined {
  const work = byDefault && workAt(byDefault, pair)
  const pairs = work ? pairsIn(work) : []
  return work && pairs.length > 0 && pairs.every(([one, other]) => overlap(one, other, work, skew))
    ? work.values
    : undefined
}

/**
 * Returns the times of a workflow that is not sequential if each step began at the end of the one before it, as in a sequential
 * one. Steps that have not begun come last.
 */
export function relay(histories: StepHistories): (TimePlaces & { readonly values: StepValues }) | undefined {
  const { sequential, parallel } = histories
  for (const pair of possiblePairs(histories)) {
    const [own, other] = [workAt(sequential, pair), parallel && workAt(parallel, pair)]
    if (!own || !other || !isRelay(own) || !isRelay(other)) continue
    return {
      ...pair,
      values: other.values,
      strength: 'proven',
      rule: 'each step begins at the end of the one before it',
    }
  }
  return undefined
}

function isRelay({ intervals, unit }: Work): boolean {
  const count = intervals.indexOf(undefined)
  const ended = intervals.slice(0, count < 0 ? undefined : count).flatMap((one) => one ?? [])
  const isLong = ended.every((one) => lengthOf(one) > Math.max(clear, 2 * unit))
  const isGapless = ended.every((one, index) => {
    const gap = one.start - (ended[index - 1]?.end ?? one.start)
    return gap >= -skew && gap <= Math.max(clear, unit)
  })
  return ended.length > 1 && ended.length === intervals.filter((one) => one).length && isLong && isGapless
}

/** An execution that was approved without its last step. */
export interface LastLeftOut {
  readonly of: keyof StepHistories
  readonly place: string
  readonly values: StepValues
}

/**
 * Returns an execution that was approved although its last step has neither the state nor the times that all others have got. Two
 * executions must show the same, since a single one may have ended otherwise.
 */
export function lastLeftOut(histories: StepHistories): LastLeftOut | undefined {
  const found = executionKinds.flatMap((of) => {
    const { after = [], approved = [] } = histories[of] ?? {}
    const latest = after.at(-1) ?? new Map<string, StepValues>()
    return approved.flatMap((list) => {
      const own = [...latest].filter(([place]) => place.startsWith(list))
      const hasTime = own.some(
        ([, values]) => lacksLast(values) && values.slice(0, -1).every((one) => timeOf(one).ms !== undefined),
      )
      return own.flatMap(([place, values]) => (hasTime && isStateOfLast(values) ? [{ of, place, values }] : []))
    })
  })
  return found.find(({ of, place, values }) =>
    found.some((other) => other.of !== of && other.place === place && other.values.join() === values.join()),
  )
}

/** Returns true if all steps but the last have the same state, and the last has another one. */
const isStateOfLast = (values: StepValues) => marksLast(values) && values.every(isState) && !lacksLast(values)
