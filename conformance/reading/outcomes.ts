/** The ends of executions that details list, and figures that contradict them. */
import { isObject } from '../../src/contract/json.ts'
import { figureOf, findAnalytics, isPlainlyNamed, meanCompletionTimes } from './analytics.ts'
import type { Contradiction } from './contradictions.ts'
import { namedInDetails } from './finding.ts'
import { membersOf, oncePerAnswer, valueAt } from './locate.ts'
import { numberOf } from './places.ts'
import { executionLists, mayBeNewer } from './progress.ts'
import { precisionOf, readTime, timeUnits } from './times.ts'
import { isNamed, mentionsRole, termsOf } from './vocabulary.ts'

/** An execution as details list it. */
interface ListedExecution {
  readonly outcome: 'approved' | 'denied' | 'open'
  /** Its own members. */
  readonly own: Readonly<Record<string, unknown>>
  readonly record: unknown
}

/** Returns the executions of the first list that shows a state of each. Empty if there is none. */
export const listedExecutions = oncePerAnswer((json): readonly ListedExecution[] => {
  for (const list of executionLists(json).keys()) {
    const records = Object.values(valueAt(json, list) ?? {})
    const found = records.flatMap((record): ListedExecution[] => {
      const outcome = outcomeShownBy(record)
      return outcome ? [{ outcome, own: ownMembers(record), record }] : []
    })
    if (found.length > 0 && found.length === records.length) return found
  }
  return []
})

/** Returns how an execution has ended, by its own state. Undefined if it shows none. */
export function outcomeShownBy(record: unknown): ListedExecution['outcome'] | undefined {
  const own = Object.entries(ownMembers(record))
  const [, state] = own.find(([name, value]) => isState(name) && typeof value === 'string') ?? []
  if (state === undefined) return undefined
  const terms = termsOf(String(state))
  return mentionsRole(terms, 'denied') ? 'denied' : mentionsRole(terms, 'ended') ? 'approved' : 'open'
}

/** Returns the members of a record, also those within an envelope such as the `attributes` of JSON:API. */
function ownMembers(record: unknown): Record<string, unknown> {
  const own = isObject(record) ? record : {}
  const enclosed = Object.entries(own).flatMap(([name, value]) =>
    isObject(value) && isNamed(name, 'envelope') ? [value] : [],
  )
  return Object.assign({}, ...enclosed, own)
}

const isState = (name: string) => mentionsRole(termsOf(name).slice(-1), 'state')

/** Finds a success rate of 0 beside a list of executions of which one was approved. `earlier` are earlier details. */
export function rateOfNoneListed(json: unknown, earlier: readonly unknown[]): Contradiction | undefined {
  const place = findAnalytics(json, 'success-rate')?.place
  const approved = listedExecutions(json).filter(({ outcome }) => outcome === 'approved').length
  if (place === undefined || approved === 0 || figureOf('success-rate', valueAt(json, place)) !== 0) return undefined
  if (!isPlainlyNamed(place, 'success-rate') || mayBeNewer(earlier, json, place)) return undefined
  const rule = 'is called nothing else, beside a list of the executions'
  return {
    finding: namedInDetails('success-rate', place, 0, rule),
    message: `${place} is 0, but ${approved} of the listed executions ${approved === 1 ? 'was' : 'were'} approved`,
  }
}

/** The details of a workflow, and the number of its executions that were started before. */
export interface CountedDetails {
  readonly json: unknown
  readonly started: number
}

/** The range of factors that a figure may have to an interval, whatever the unit. */
type Factors = readonly [least: number, most: number]

/**
 * Finds a mean completion time that matches no interval between two times of the executions. All of them must be listed, in at least two
 * details of one workflow with different figures. The unit is unknown, so a figure matches if it is the same multiple in all details.
 */
export function unfoundedMean(details: readonly CountedDetails[]): Contradiction | undefined {
  const [last] = details.slice(-1)
  for (const place of meanCompletionTimes(last?.json)) {
    const shown = details.flatMap(({ json, started }) => {
      const figure = figureOf('completion-time', valueAt(json, place))
      const executions = listedExecutions(json)
      const isWhole = executions.length === started && executions.some(({ outcome }) => outcome !== 'open')
      return figure === undefined || !isWhole ? [] : [{ figure, spans: spansOf(executions) }]
    })
    // A figure that has not changed may be computed later than the list.
    const samples = shown.filter(({ figure }, index) => shown.findIndex((one) => one.figure === figure) === index)
    if (samples.length < 2) continue
    const names = [...(samples[0]?.spans.keys() ?? [])]
    const isFounded = names.some((name) => {
      const factors = samples.flatMap(({ figure, spans }) => {
        const span = spans.get(name)
        return span ? [factorsOf(figure, span)] : []
      })
      return Math.max(...factors.map(([least]) => least)) <= Math.min(...factors.map(([, most]) => most))
    })
    if (isFounded || names.length === 0) continue
    const figures = samples.map(({ figure }) => figure).join(' and ')
    const rule = 'is called the mean completion time, and matches no interval between times of the listed executions'
    return {
      finding: namedInDetails('completion-time', place, valueAt(last?.json, place), rule),
      message: `${place} was ${figures}, which matches no interval between times of the listed executions`,
    }
  }
  return undefined
}

/**
 * Finds a mean completion time whose unit is known, and that is longer than the time from the first start to the last end of the
 * executions. All of them must be listed, with their ends. A figure that was there before the first execution may come from other data.
 * `before` are the details before it.
 */
export function meanBeyondTimes({ json, started }: CountedDetails, before: unknown): Contradiction | undefined {
  const executions = listedExecutions(json)
  const ended = executions.filter(({ outcome }) => outcome !== 'open')
  if (executions.length !== started || ended.length === 0 || !ended.every(showsEnd)) return undefined
  const times = executions.flatMap((one) => [...timesOf(one).values()])
  const span = Math.max(...times) - Math.min(...times)
  const place = meanCompletionTimes(json).find((pointer) => {
    const isOld = (figureOf('completion-time', valueAt(before, pointer)) ?? 0) > 0
    return !isOld && (statedMs(pointer, valueAt(json, pointer)) ?? 0) > span + clearlyLonger
  })
  if (place === undefined) return undefined
  const value = valueAt(json, place)
  const rule = 'is called the mean completion time, in a known unit, beside a list of the executions'
  return {
    finding: namedInDetails('completion-time', place, value, rule),
    message: `${place} is ${JSON.stringify(value)}, but the listed executions began and ended within ${span / 1000} s`,
  }
}

/** Returns true if an execution shows the time of its end. */
const showsEnd = (one: ListedExecution) => [...timesOf(one).keys()].some((name) => mentionsRole(termsOf(name), 'ended'))

/** Longer than what a deployment may count beside the times that it lists, in milliseconds. */
const clearlyLonger = 120_000

/** Returns a duration in milliseconds if its unit is known: it is a text of ISO 8601, or its name or that of its object ends with a unit. */
function statedMs(pointer: string, value: unknown): number | undefined {
  const number = numberOf(value)
  if (number === undefined) return undefined
  if (typeof value === 'string' && value.startsWith('P')) return number * 1000
  const names = pointer.split('/').slice(-2).reverse()
  const [unit] = names.flatMap((name) => timeUnits.get(termsOf(name).at(-1)?.word ?? '') ?? [])
  return unit === undefined ? undefined : number * unit
}

/** A mean of listed times, and by how much each may be off, in milliseconds. */
interface Span {
  readonly mean: number
  readonly tolerance: number
}

/**
 * Returns the means between any two times of the executions that have ended, or of the approved ones, by the names of the times. Omits those
 * that are too short for the precision of the times.
 */
function spansOf(executions: readonly ListedExecution[]): Map<string, Span> {
  const spans = new Map<string, Span>()
  const ended = executions.filter(({ outcome }) => outcome !== 'open')
  const groups = { ended, approved: ended.filter(({ outcome }) => outcome === 'approved') }
  for (const [group, ones] of Object.entries(groups)) {
    const times = ones.map(timesOf)
    const names = [...(times[0]?.keys() ?? [])].filter((name) => times.every((one) => one.has(name)))
    const all = times.flatMap((one) => [...one.values()])
    const tolerance = precisionOf(all) + inaccuracy
    for (const from of names) {
      for (const to of names) {
        const lengths = times.map((one) => (one.get(to) ?? 0) - (one.get(from) ?? 0))
        const mean = lengths.reduce((sum, one) => sum + one, 0) / lengths.length
        if (from !== to && mean > 2 * tolerance) spans.set(`${group}: ${from} to ${to}`, { mean, tolerance })
      }
    }
  }
  return spans
}

/** A deployment may measure from or to moments that are this far from the times that it shows, such as those of a queue, in milliseconds. */
const inaccuracy = 300

/** Returns the times of an execution by name, and the first and the last of all times that it shows. */
function timesOf({ own, record }: ListedExecution): Map<string, number> {
  const shown = Object.entries(own).flatMap(([name, value]): [string, number][] => {
    const time = readTime(value)
    return time ? [[name, time.ms]] : []
  })
  const all = membersOf(record).flatMap(({ value }) => readTime(value)?.ms ?? [])
  return new Map([...shown, ...(all.length > 0 ? extremes(all) : [])])
}

const extremes = (times: readonly number[]): [string, number][] => [
  ['its first time', Math.min(...times)],
  ['its last time', Math.max(...times)],
]

/** Returns the factors that a figure may have to a mean. */
function factorsOf(figure: number, { mean, tolerance }: Span): Factors {
  const digit = 10 ** -(String(figure).split('.')[1]?.length ?? 0)
  return [(figure - digit) / (mean + tolerance), (figure + digit) / (mean - tolerance)]
}
