/** Completion times that no executions can have. */
import { executionLists } from '../counts.ts'
import { type Figure, figuresIn } from '../figures.ts'
import { isWithin, type Located, membersOf, oncePerAnswer, parentOf, valueAt } from '../locate.ts'
import { type ListedExecution, listedExecutions, timesOf } from '../outcomes.ts'
import { findPart, isPlainlyNamed, placesCalled } from '../parts.ts'
import { figureOf, isInList, numberOf, stepListsIn } from '../places.ts'
import { precisionOf, readTime, timeUnits } from '../times.ts'
import { hasRole, mentionsRole, type Role, termsOf } from '../vocabulary.ts'
import { type Contradiction, contradiction, type SentStep } from './contradiction.ts'
import { columnsOf } from './steps.ts'

/** The details of a workflow before its first execution, and the steps that were sent. */
interface Projection {
  readonly json: unknown
  readonly steps: readonly (SentStep & { readonly order: number })[]
}

/**
 * Finds a completion time that is the estimate of the first step alone, in some unit, in the details of all these workflows before their
 * first execution. Their steps follow each other, so that none can be completed by then. Undefined if their first steps do not differ.
 */
export function projectedFromFirst(workflows: readonly Projection[]): Contradiction | undefined {
  const [one] = workflows
  const first = workflows.map(({ steps }) => steps.toSorted((a, b) => a.order - b.order)[0]?.estimated_duration ?? 0)
  const isOneOfSeveral = workflows.every(
    ({ steps }) => steps.length > 1 && steps.every((step) => step.estimated_duration > 0),
  )
  if (!isOneOfSeveral || new Set(first).size < 2) return undefined
  const found = placesCalled(one?.json, 'completion_time').find(({ pointer, value, name }) => {
    const unit = Number(value) / (first[0] ?? 0)
    const isOfFirst = workflows.every(({ json }, index) => valueAt(json, pointer) === unit * (first[index] ?? 0))
    // The first item of a list may be about the first step alone.
    return unit > 0 && isOfFirst && !mentionsRole(termsOf(name), 'step') && !isInList(parentOf(pointer))
  })
  if (!found) return undefined
  const { pointer: place, value } = found
  const rule = 'shows the estimate of the first step in workflows whose first steps differ'
  const message = `${place} is ${JSON.stringify(value)}, the estimate of the first of ${one?.steps.length} steps that follow each other`
  return contradiction('completion_time', [place, value], rule, message, 'proven')
}

/** Returns the words of a figure's name without those of a role. */
const subjectOf = ({ terms }: Figure, role: Role) =>
  terms.flatMap((term) => (hasRole(term, role) ? [] : [term.word])).join(' ')

/** Returns the size of a number's last digit. */
const digitOf = (value: number) => 10 ** -(String(value).split('.')[1]?.length ?? 0)

/** Returns true if a figure is less than another one by more than rounding explains. */
const isLess = (one: number, other: number) => other - one > Math.max(digitOf(one), digitOf(other)) * 1.001

/**
 * Finds a mean that at most `count` values cannot have, of which the least and the greatest are beside it under the same name: even if all
 * others are equal to one of these, the mean is at least a share of their difference away from the other.
 */
export function meanOutside(json: unknown, count = Number.POSITIVE_INFINITY): Contradiction | undefined {
  const figures = figuresIn(json)
  for (const mean of figures.filter(({ terms }) => mentionsRole(terms, 'average'))) {
    const [least, most] = (['least', 'most'] as const).map((role) =>
      figures.find(
        (one) =>
          one.holder === mean.holder &&
          one.unit === mean.unit &&
          mentionsRole(one.terms, role) &&
          subjectOf(one, role) === subjectOf(mean, 'average'),
      ),
    )
    if (!least || !most) continue
    // Of two values, each is a median for some definition.
    const isMedian = mentionsRole(mean.terms, 'quantile')
    const share = isMedian ? 0 : Math.max(most.value - least.value, 0) / Math.max(count, 1)
    if (!isLess(mean.value, least.value + share) && !isLess(most.value - share, mean.value)) continue
    const told = ({ pointer }: Figure) => `${pointer} is ${JSON.stringify(valueAt(json, pointer))}`
    const message = `${told(mean)}, but ${told(least)} and ${told(most)}`
    const rule = 'is called a mean, beside the least and the greatest value'
    return contradiction('completion_time', [mean.pointer, valueAt(json, mean.pointer)], rule, message)
  }
  return undefined
}

/**
 * Finds a completion time that adds up the durations of steps that were at work at once: the only listed execution shows the greatest of
 * them as its own duration.
 */
export function summedCompletion(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findPart(json, 'completion_time')
  if (section === undefined || steps.length < 2) return undefined
  const times = figuresIn(json).filter((one) => isWithin(one.pointer, section))
  const single = [...executionLists(json)].flatMap(([list, length]) => (length === 1 ? [list] : []))
  const lists = stepListsIn(json, steps).filter(
    ({ pointer, items }) => items.length >= steps.length && single.some((list) => isWithin(pointer, list)),
  )
  for (const { list, ...column } of lists.flatMap((list) => columnsOf(list).map((one) => ({ ...one, list })))) {
    const durations = [...column.values.values()]
    const [sum, most] = [durations.reduce((all, one) => all + one, 0), Math.max(...durations)]
    const holder = parentOf(list.pointer)
    const total = figuresIn(json).find(
      (one) => one.holder === holder && one.value === most && mentionsRole(one.terms, 'duration', 'average'),
    )
    const wrong = times.find(({ value }) => isNear(value, sum, durations))
    const isShown = times.some(({ value }) => isNear(value, most, durations))
    if (!column.isTime || !total || !wrong || isShown) continue
    const value = valueAt(json, wrong.pointer)
    const rule = 'is called the completion time, and adds up the durations of steps that were at work at once'
    const message = `${wrong.pointer} is ${JSON.stringify(value)}, the sum of the durations of all steps, but ${total.pointer} is ${JSON.stringify(valueAt(json, total.pointer))}`
    return contradiction('completion_time', [wrong.pointer, value], rule, message)
  }
  return undefined
}

/** Returns true if two numbers are the same but for the last digits of these rounded values. */
const isNear = (one: number, other: number, rounded: readonly number[]) =>
  Math.abs(one - other) <= (Math.max(...rounded.map(digitOf)) * (rounded.length + 1)) / 2

/** The details of a workflow, and the number of its executions that were started before. */
export interface CountedDetails {
  readonly json: unknown
  readonly started: number
}

/** Returns the figures that are called the mean duration of executions, and nothing else. */
const meansIn = (json: unknown): readonly Located[] =>
  placesCalled(json, 'completion_time').filter(({ pointer }) => {
    const terms = pointer.split('/').map(termsOf)
    const isMean = mentionsRole(terms.at(-1) ?? [], 'average') && !mentionsRole(terms.flat(), 'quantile')
    return isMean && isPlainlyNamed(pointer, 'completion_time')
  })

const hasEnded = ({ outcome }: ListedExecution) => outcome !== 'open'

/**
 * Finds a mean completion time that matches no interval between two times of the executions. All of them must be listed, in at least two
 * details of one workflow with different figures. The unit is unknown, so a figure matches if it is the same multiple in all details.
 */
export function unfoundedMean(details: readonly CountedDetails[]): Contradiction | undefined {
  const [last] = details.slice(-1)
  for (const { pointer: place, value } of meansIn(last?.json)) {
    const shown = details.flatMap(({ json, started }) => {
      const figure = figureOf('completion_time', valueAt(json, place))
      const executions = listedExecutions(json)
      const isWhole = executions.length === started && executions.some(hasEnded)
      return figure === undefined || !isWhole ? [] : [{ figure, spans: spansOf(executions) }]
    })
    // A figure that has not changed may be computed later than the list.
    const samples = shown.filter(({ figure }, index) => shown.findIndex((one) => one.figure === figure) === index)
    const names = [...(samples[0]?.spans.keys() ?? [])]
    const isFounded = names.some((name) => {
      const factors = samples.flatMap(({ figure, spans }) => {
        const span = spans.get(name)
        return span ? [factorsOf(figure, span)] : []
      })
      return Math.max(...factors.map(([least]) => least)) <= Math.min(...factors.map(([, most]) => most))
    })
    if (samples.length < 2 || isFounded || names.length === 0) continue
    const message = `${place} was ${samples.map(({ figure }) => figure).join(' and ')}, which matches no interval between times of the listed executions`
    const rule = 'is called the mean completion time, and matches no interval between times of the listed executions'
    return contradiction('completion_time', [place, value], rule, message)
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
  const ended = executions.filter(hasEnded)
  const showsEnd = (one: ListedExecution) =>
    [...timesOf(one).keys()].some((name) => mentionsRole(termsOf(name), 'ended'))
  if (executions.length !== started || ended.length === 0 || !ended.every(showsEnd)) return undefined
  const times = executions.flatMap((one) => [...timesOf(one).values()])
  const span = Math.max(...times) - Math.min(...times)
  const found = meansIn(json).find(({ pointer, value }) => {
    const isOld = (figureOf('completion_time', valueAt(before, pointer)) ?? 0) > 0
    return !isOld && (statedMs(pointer, value) ?? 0) > span + clearlyLonger
  })
  if (!found) return undefined
  const { pointer: place, value } = found
  const message = `${place} is ${JSON.stringify(value)}, but the listed executions began and ended within ${span / 1000} s`
  const rule = 'is called the mean completion time, in a known unit, beside a list of the executions'
  return contradiction('completion_time', [place, value], rule, message)
}

/** Moments at which no execution starts. */
const wrongStarts: Readonly<Record<string, (execution: ListedExecution, json: unknown) => number | undefined>> = {
  'the creation of the workflow': (_, json) => firstTimeIn(json),
  'the start of the last step': ({ record }) => {
    const lists = membersOf(record).flatMap(({ value }) => (Array.isArray(value) ? [value] : []))
    const steps = lists.flat().map((item) => membersOf(item).flatMap(({ value }) => readTime(value)?.ms ?? []))
    const [last] = steps.filter(({ length }) => length > 1).toSorted((a, b) => Math.max(...b) - Math.max(...a))
    return last && Math.min(...last)
  },
}

/** Returns the first time in details that is about no execution. */
const firstTimeIn = oncePerAnswer((json): number | undefined => {
  const lists = [...executionLists(json).keys()]
  const times = membersOf(json).flatMap(({ pointer, value }) =>
    isInList(pointer) || lists.some((list) => isWithin(pointer, list)) ? [] : (readTime(value)?.ms ?? []),
  )
  return times.length > 0 ? Math.min(...times) : undefined
})

/** How far a mean may be from that of the listed times: to be the same, and to be another one, in milliseconds. */
const [same, other] = [2, 10]

/**
 * Finds a mean completion time that is exactly the mean from a wrong moment on, such as the creation of the workflow, in all details that list
 * their executions, with several figures. One of these must be far from any interval between the times of the executions.
 */
export function mistakenMean(details: readonly CountedDetails[]): Contradiction | undefined {
  const told = details.flatMap(({ json, started }) => {
    const executions = listedExecutions(json)
    if (executions.length !== started || !executions.some(hasEnded)) return []
    const starts = Object.entries(wrongStarts)
    const intervals = intervalsOf(
      executions,
      (one) => new Map([...timesOf(one), ...starts.map(([name, of]) => [name, of(one, json) ?? Number.NaN] as const)]),
    )
    return meansIn(json).flatMap(({ pointer, value }) => {
      const [number, stated] = [numberOf(value) ?? 0, statedMs(pointer, value)]
      const units = stated === undefined ? timeUnits.values() : [stated / number]
      return number > 0
        ? [...new Set(units)].map((unit) => ({ pointer, value, unit, ...startsOf(intervals, number, unit) }))
        : []
    })
  })
  for (const { pointer: place, value, unit } of told.filter(({ isSound }) => !isSound)) {
    const all = told.filter((one) => one.pointer === place && one.unit === unit)
    const start = Object.keys(wrongStarts).find((name) => all.every((one) => one.starts.includes(name)))
    const isSeveral = new Set(all.map((one) => one.value)).size > 1
    if (start === undefined || !isSeveral) continue
    const message = `${place} is ${JSON.stringify(value)}, counted from ${start}, as in all other details`
    const rule = `is called the mean completion time, and is the mean time from ${start} on`
    return contradiction('completion_time', [place, value], rule, message)
  }
  return undefined
}

/** Returns the wrong starts from which on a figure is a mean, and whether it is near an interval between times of the executions. */
function startsOf(intervals: readonly Interval[], figure: number, unit: number) {
  const near = (off: number) =>
    intervals.filter(({ mean }) => Math.abs(mean - figure * unit) <= off + digitOf(figure) * unit)
  const isTimeOfOwn = (name: string) => !Object.hasOwn(wrongStarts, name)
  return {
    starts: near(same).flatMap(({ from, to }) => (isTimeOfOwn(to) ? from : [])),
    isSound: near(other).some(({ from, to }) => isTimeOfOwn(from) && isTimeOfOwn(to)),
  }
}

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

/** Returns means between times of the executions, by names. Omits those that are too short for the precision of the times. */
function spansOf(executions: readonly ListedExecution[]): Map<string, Span> {
  const times = executions.filter(hasEnded).flatMap((one) => [...timesOf(one).values()])
  const tolerance = precisionOf(times) + inaccuracy
  const long = intervalsOf(executions).filter(({ mean }) => mean > 2 * tolerance)
  return new Map(long.map(({ group, from, to, mean }) => [`${group}: ${from} to ${to}`, { mean, tolerance }]))
}

/** The mean between two times of executions. */
interface Interval {
  readonly group: string
  readonly from: string
  readonly to: string
  readonly mean: number
}

/** Returns the means between any two times of the executions that have ended, and of the approved ones. */
function intervalsOf(executions: readonly ListedExecution[], momentsOf = timesOf): Interval[] {
  const ended = executions.filter(hasEnded)
  const groups = { ended, approved: ended.filter(({ outcome }) => outcome !== 'denied') }
  return Object.entries(groups).flatMap(([group, ones]) => {
    const times = ones.map(momentsOf)
    const names = [...(times[0]?.keys() ?? [])].filter((name) => times.every((one) => one.has(name)))
    const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ group, from, to })))
    return pairs.map((pair) => {
      const lengths = times.map((one) => (one.get(pair.to) ?? 0) - (one.get(pair.from) ?? 0))
      return { ...pair, mean: lengths.reduce((sum, one) => sum + one, 0) / lengths.length }
    })
  })
}

/** A deployment may measure from or to moments that are this far from the times that it shows, such as those of a queue, in milliseconds. */
const inaccuracy = 300

/** Returns the least and the greatest factor that a figure may have to a mean, whatever the unit. */
function factorsOf(figure: number, { mean, tolerance }: Span): readonly [least: number, most: number] {
  const digit = digitOf(figure)
  return [(figure - digit) / (mean + tolerance), (figure + digit) / (mean - tolerance)]
}
