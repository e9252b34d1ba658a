/**
 * Finds analytics in the details by what they say, under names that no word tells: a bottleneck names the step that takes longest, a
 * success rate has no value before an execution has ended, and a completion time follows the times of the steps.
 */
import { isObject } from '../../src/contract/json.ts'
import type { Body } from '../../src/contract/operations.ts'
import { isWithin, lastName, membersOf, oncePerPair, parentOf, valueAt } from './locate.ts'
import { remember } from './names.ts'
import { type Analytic, findPart } from './parts.ts'
import { figureOf, isInList, leavesOf, numberOf, stepListsIn } from './places.ts'
import { timeOf } from './times.ts'

type Steps = Body<'createWorkflow'>['steps']

/** Details of a workflow as they were read once. */
export interface DetailsOfOne {
  readonly json: object
  readonly steps: Steps
  /** The number of executions that may have started before. */
  readonly started: number
}

/** All details of each workflow, the earliest first. */
type Reads = readonly (readonly DetailsOfOne[])[]

/**
 * Returns the place that shows one of the analytics in the details of several workflows, or what holds all such places, or the first of
 * them; undefined if there is none. Any time of executions will do.
 */
export function placeByMeaning(workflows: Reads, part: Analytic): string | undefined {
  const [first, ...others] = [...candidates[part](workflows.flat())].filter((place) => says[part](workflows, place))
  if (first === undefined || others.length === 0 || part === 'completion_time') return first
  let around = parentOf(first)
  while (!others.every((place) => isWithin(place, around))) around = parentOf(around)
  return around || first
}

/** The places that may show each of the analytics. */
const candidates: Readonly<Record<Analytic, (reads: readonly DetailsOfOne[]) => ReadonlySet<string>>> = {
  bottlenecks: (reads) => new Set(reads.flatMap(({ json, steps }) => [...marksIn(json, steps).keys()])),
  success_rate: figuresOutsideLists,
  completion_time: figuresOutsideLists,
}

/**
 * Returns a function that tells whether a place is outside of lists. The only row of a table counts as outside, and so does an item with a
 * text that no other item has, at the same index in every answer: `[{ "code": "runs" }, { "code": "completion-time" }]`.
 */
function outsideLists(reads: readonly DetailsOfOne[]): (pointer: string) => boolean {
  const lists = reads.flatMap(({ json }) => membersOf(json).filter(({ value }) => Array.isArray(value)))
  const several = new Set(lists.flatMap(({ pointer, value }) => ((value as unknown[]).length === 1 ? [] : pointer)))
  const tables = new Set(lists.flatMap(({ pointer }) => (several.has(pointer) ? [] : `${pointer}/0`)))
  const isFixed = remember((pointer) => {
    const rows = lists.filter((one) => one.pointer === parentOf(pointer)).map(({ value }) => value as unknown[])
    const items = rows.map((row) => row[Number(lastName(pointer))])
    const isOwn = (name: string, text: unknown) =>
      rows.every((row, at) => row.every((one) => (one === items[at]) === (textAt(one, name) === text)))
    return Object.entries(items[0] ?? {}).some(([name, text]) => typeof text === 'string' && isOwn(name, text))
  })
  const isOutside = (pointer: string): boolean =>
    pointer === '' ||
    ((!/\/\d+$/.test(pointer) || tables.has(pointer) || isFixed(pointer)) && isOutside(parentOf(pointer)))
  // Several figures may stand side by side, such as a mean and a largest one.
  return (pointer) => isOutside(parentOf(pointer))
}

const textAt = (item: unknown, name: string) => (isObject(item) ? item[name] : undefined)

function figuresOutsideLists(reads: readonly DetailsOfOne[]): ReadonlySet<string> {
  const isOutside = outsideLists(reads)
  const leaves = reads.flatMap(({ json }) => leavesOf(json))
  const figures = leaves.filter(({ pointer, value }) => isOutside(pointer) && /^\D{0,2}\d/.test(String(value)))
  return new Set(figures.map(({ pointer }) => pointer))
}

/**
 * Returns the places outside of lists that may be a rate or a duration, under any name: a value that changed and is no count of executions,
 * or null beside numbers.
 */
export function figuresOfEnded(reads: readonly DetailsOfOne[]): string[] {
  const [first, last] = [reads[0], reads.at(-1)]
  if (!first || !last) return []
  const isOutside = outsideLists(reads)
  const isCount = (value: unknown) => Number.isInteger(numberOf(value)) && Number(value) <= last.started
  const isFigure = (value: unknown) =>
    timeOf(value) === undefined && (figureOf('completion_time', value) ?? figureOf('success_rate', value)) !== undefined
  const isBeside = (pointer: string) =>
    Object.values(valueAt(last.json, parentOf(pointer)) ?? {}).some((one) => typeof one === 'number')
  return leavesOf(last.json).flatMap(({ pointer, value }) => {
    if (!isOutside(pointer)) return []
    const isNew = value !== valueAt(first.json, pointer) && isFigure(value) && !isCount(value)
    return isNew || (value === null && isBeside(pointer)) ? pointer : []
  })
}

const says: Readonly<Record<Analytic, (workflows: Reads, place: string) => boolean>> = {
  bottlenecks: (workflows, place) => marksSlowest(workflows.flat(), place),
  success_rate: (workflows, place) => isShareOfEnded(workflows, place) || isShareOfCounts(workflows.flat(), place),
  completion_time: (workflows, place) => isTimeOfEnded(workflows, place) || followsSteps(workflows.flat(), place),
}

/** Returns what marks steps, and which: a text or a list of texts that names them, or true and false beside the figures of each. */
const marksIn = oncePerPair((json: object, steps: Steps): ReadonlyMap<string, readonly boolean[]> => {
  const isStep = (text: unknown) => steps.some(({ step_id, name }) => text === step_id || text === name)
  const named = membersOf(json).flatMap(({ pointer, value }): [string, boolean[]][] => {
    const texts = [value].flat()
    const isWithinStep = steps.some(({ step_id }) => pointer.split('/').includes(step_id))
    if (texts.length === 0 || !texts.every(isStep) || isInList(pointer) || isWithinStep) return []
    return [[pointer, steps.map(({ step_id, name }) => texts.includes(step_id) || texts.includes(name))]]
  })
  const measured = new Set(durationsIn(json, steps).map(([place]) => listOf(place)))
  const flags = rowsIn(json, steps).flatMap(({ place, shown }): [string, boolean[]][] => {
    if (shown.every((one) => typeof one === 'boolean')) return [[place, [...shown]]]
    const flag = measured.has(listOf(place)) ? flagAmong(shown) : undefined
    return flag === undefined ? [] : [[place, shown.map((one) => one === flag)]]
  })
  return new Map([...named, ...flags])
})

/** Returns the only one of several words that differs from the others, such as `Y` among `N`. */
function flagAmong(shown: readonly unknown[]): string | undefined {
  const isFlag = (one: unknown): one is string => typeof one === 'string' && one.length <= longestFlag
  const own = shown.filter(isFlag).filter((one) => shown.indexOf(one) === shown.lastIndexOf(one))
  return shown.every(isFlag) && shown.length > 2 && own.length === 1 && new Set(shown).size === 2 ? own[0] : undefined
}

const longestFlag = 12

/** Returns what the details show of every step at the same place, in the order in which the steps were sent. */
const rowsIn = oncePerPair((json: object, steps: Steps) => {
  const lists = stepListsIn(json, steps).filter(({ items }) => items.length === steps.length)
  const ofObjects = lists.flatMap((list) => {
    const items = steps.map((step) => list.items.find((one) => one.step === step)?.item)
    return leavesOf(items[0]).map(({ pointer }) => ({
      place: `${list.pointer}/*${pointer}`,
      shown: items.map((item) => valueAt(item, pointer)),
    }))
  })
  // A list with a value for each step has them in the order of the steps: as they were sent, or as they follow each other.
  const isInOrder = steps.every(({ order }, at) => order >= (steps[at - 1]?.order ?? order))
  const ofValues = membersOf(json).flatMap(({ pointer, value }) =>
    isInOrder && Array.isArray(value) && value.length === steps.length && !value.some(isObject)
      ? [{ place: `${pointer}/*`, shown: value as readonly unknown[] }]
      : [],
  )
  return [...ofObjects, ...ofValues]
})

/** Returns the figures of every step, by place, without those that were sent. */
const figuresIn = oncePerPair((json: object, steps: Steps): ReadonlyMap<string, readonly number[]> => {
  return new Map(
    rowsIn(json, steps).flatMap(({ place, shown }): [string, number[]][] => {
      const figures = shown.flatMap((one) => figureOf('completion_time', one) ?? [])
      const wasSent = steps.every((step, at) => step.order === figures[at] || step.estimated_duration === figures[at])
      return figures.length === steps.length && !wasSent ? [[place, figures]] : []
    }),
  )
})

/** Returns the places of what details mark some steps with, but not all: it may show bottlenecks. */
export const marksOfSome = (json: unknown, steps: Steps): string[] =>
  [...(isObject(json) ? marksIn(json, steps) : [])].flatMap(([place, marked]) =>
    marked.includes(true) && marked.includes(false) ? place : [],
  )

/** Returns true if a place always marks steps with the largest of some figure, in a third of the answers, and with several values of it. */
function marksSlowest(reads: readonly DetailsOfOne[], place: string): boolean {
  const marked = reads.flatMap((read) => {
    const marks = marksIn(read.json, read.steps).get(place)
    return marks?.includes(true) ? [{ marks, figures: figuresIn(read.json, read.steps) }] : []
  })
  const names = new Set(marked.flatMap(({ figures }) => [...figures.keys()]))
  return [...names].some((name) => {
    const told = marked.flatMap(({ marks, figures }) => {
      const values = figures.get(name) ?? []
      return new Set(values).size > 1 ? [{ marks, values }] : []
    })
    const isRight = told.every(({ marks, values }) =>
      values.every((value, at) => !marks[at] || value === Math.max(...values)),
    )
    return isRight && 3 * told.length >= marked.length && new Set(told.map(({ values }) => values.join())).size > 1
  })
}

/**
 * The odds against naming the fastest step by chance each time, from which on it is a fault: three workflows of three steps reach them. Two are
 * enough where the time of the step stands beside its name.
 */
const [leastOdds, leastBeside] = [27, 9]

/**
 * Returns the last details of those whose bottleneck is the fastest step, if that is so in all that show times, of enough workflows. A step
 * that exceeds its estimate more than all others may be the bottleneck, however fast it is.
 */
export function marksFastest(workflows: Reads): { readonly place: string; readonly json: object } | undefined {
  const told = workflows.map((reads) => reads.flatMap(bottleneckIn))
  const odds = told.reduce((product, reads) => product * (reads.at(-1)?.odds ?? 1), 1)
  const all = told.flat()
  const least = all.every(({ isBeside }) => isBeside) ? leastBeside : leastOdds
  return odds >= least && all.every(({ isFastest }) => isFastest) ? all.at(-1) : undefined
}

/** Returns the first place that names the bottleneck, if no other place names another one and all steps that show times show different ones. */
function bottleneckIn({ json, steps }: DetailsOfOne) {
  const section = findPart(json, 'bottlenecks')
  const marked = [...marksIn(json, steps)].filter(([place]) => section !== undefined && isWithin(place, section))
  const [[place, marks] = []] = marked
  const isOne = marked.every(([, others]) => others.join() === marks?.join())
  const at = marks?.indexOf(true) ?? -1
  const shownOf = (values: readonly number[]) => values.filter((value) => value > 0)
  const times = durationsIn(json, steps).flatMap(([, values]) => {
    const shown = shownOf(values)
    return shown.length > 1 && shown.includes(values[at] ?? 0) && new Set(shown).size === shown.length ? [values] : []
  })
  if (!place || !isOne || times.length === 0) return []
  // The figure beside the mark tells which of several it follows.
  const beside = new Set(
    leavesOf(valueAt(json, parentOf(place))).map(({ value }) => figureOf('completion_time', value)),
  )
  const told = times.filter((values) => beside.has(values[at]))
  const decisive = told.length > 0 ? told : times
  const isFastest = decisive.every((values) => {
    const overruns = values.map((value, step) => value / (steps[step]?.estimated_duration ?? 1))
    return values[at] === Math.min(...shownOf(values)) && overruns[at] !== Math.max(...overruns)
  })
  const odds = Math.min(...decisive.map((values) => shownOf(values).length))
  return [{ place, json, odds, isFastest, isBeside: told.length > 0 }]
}

/**
 * Returns the place with an item for every step in which times appear once executions go on: it shows how the steps perform.
 */
export function timesOfStepsIn(workflows: Reads): string | undefined {
  const places = workflows.flatMap(([first, ...later]) => {
    const before = first ? figuresIn(first.json, first.steps) : new Map<string, readonly number[]>()
    return later.flatMap(({ json, steps }) =>
      durationsIn(json, steps).flatMap(([place, figures]) => {
        const isNew = figures.some((one, at) => one > 0 && one !== before.get(place)?.[at])
        return isNew ? [listOf(place)] : []
      }),
    )
  })
  return places[0]
}

/** Returns the figures of every step that may be durations, by place. What lists executions shows how far these are. */
const durationsIn = (json: object, steps: Steps) =>
  [...figuresIn(json, steps)].filter(
    ([place, figures]) =>
      figures.some(isLong) && figures.every((one) => timeOf(one) === undefined) && !isInList(listOf(place)),
  )

const listOf = (place: string) => place.slice(0, place.indexOf('/*'))

/** Smaller whole numbers of steps may be counts. */
const shortestTime = 20

const isLong = (time: number) => !Number.isInteger(time) || time >= shortestTime

/** A text that says that there is no value: `n/a`, `-`, `0 %`. */
const none = /^\P{Nd}{0,20}$|^%0([.,]0+)?$|^0([.,]0+)? ?%$/u

/** Returns true for a value that is not known yet, also if the object around it is not. */
function isNone(json: object, place: string): boolean {
  const value = valueAt(json, place)
  // An object around it may say that there is none.
  if (value === undefined)
    return place.includes('/', 1) && (isObject(valueAt(json, parentOf(place))) || isNone(json, parentOf(place)))
  return value === null || (typeof value === 'string' && none.test(value))
}

/**
 * Returns the values of a figure in each workflow in which it begins as said, though others are 0. A rate or a mean of what has ended has
 * none at first, and a count begins with 0.
 */
function valuesSince(workflows: Reads, place: string, begins: (first: object) => boolean): unknown[][] {
  return workflows.flatMap((reads) => {
    const [first] = reads
    const isFirst = first && begins(first.json) && leavesOf(first.json).some(({ value }) => numberOf(value) === 0)
    const later = reads.flatMap(({ json }) => (begins(json) ? [] : [valueAt(json, place)]))
    return isFirst && later.length > 0 ? [later] : []
  })
}

/**
 * Returns true if a figure is a share of what has ended in at least two workflows: all of it, as 1, 100 %, 1,000 or 10,000, a part, or
 * nothing in all of them. If it begins with 0, only what is too large for a count of executions tells.
 */
function isShareOfEnded(workflows: Reads, place: string): boolean {
  const untold = valuesSince(
    workflows,
    place,
    (json) => isNone(json, place) && !/\d/.test(String(valueAt(json, place))),
  )
  const since = untold.length > 0 ? untold : valuesSince(workflows, place, (json) => isNone(json, place))
  const sinceZero = valuesSince(workflows, place, (json) => numberOf(valueAt(json, place)) === 0)
  const values = since.length > 0 ? since : sinceZero
  const all = values.flat()
  const isNothing = (value: unknown) => since.length > 0 && figureOf('success_rate', value) === 0
  const isPart = since.length > 0 ? isShare : isWhole
  return (
    values.length > 1 &&
    (all.some(isAll) || all.every(isNothing)) &&
    all.every((value) => isPart(value) || isNothing(value))
  )
}

/** How large a share of all may be written. */
const wholes = [1, 100, 1000, 10_000]

/** Returns true if a figure is always the share of one count in the sum of two beside it, where the share or the sum differs at least once. */
export function isShareOfCounts(reads: readonly DetailsOfOne[], place: string): boolean {
  const told = reads.flatMap(({ json }) => {
    const share = figureOf('success_rate', valueAt(json, place))
    return share === undefined ? [] : [{ share, counts: countsBeside(json, place) }]
  })
  const names = [...new Set(told.flatMap(({ counts }) => [...counts.keys()]))].slice(0, mostCounts)
  const without = reads.filter(({ json }) => isNone(json, place)).map(({ json }) => countsBeside(json, place))
  return names.some((part) =>
    names.some((rest) => {
      if (part === rest) return false
      const shares = told.map(({ share, counts }) => {
        const [some = 0, others = 0] = [counts.get(part), counts.get(rest)]
        return { share, some, sum: some + others }
      })
      // Before the first has ended, there is no share of all.
      const isRight = (whole: number) =>
        shares.every(({ share, some, sum }) =>
          sum === 0 ? share !== whole : Math.abs(share - (whole * some) / sum) <= Math.min(0.51, 0.006 * whole),
        )
      const ended = shares.filter(({ sum }) => sum > 0)
      const differs = (of: (one: (typeof ended)[number]) => number) => new Set(ended.map(of)).size > 1
      // A count of what was approved is no share of it, and what holds it is not the rest.
      const isNoCount =
        ended.some(({ share, some }) => share > 0 && share !== some) || without.some((counts) => counts.get(part) === 0)
      const isRest = ended.some(({ some, sum }) => 2 * some > sum)
      const isTold = isNoCount && isRest && (differs(({ some, sum }) => some / sum) || differs(({ sum }) => sum))
      return isTold && wholes.some(isRight)
    }),
  )
}

/** The most counts beside a figure that are compared with it. */
const mostCounts = 20

/** Returns the whole numbers in the object around a figure, in the one around that, and in the objects within these two. */
function countsBeside(json: object, place: string): ReadonlyMap<string, number> {
  const around = [parentOf(place), parentOf(parentOf(place))]
  return new Map(
    leavesOf(json).flatMap(({ pointer, value }): [string, number][] => {
      const count = numberOf(value) ?? -1
      const isCount = Number.isInteger(count) && count >= 0 && pointer !== place
      const holders = [parentOf(pointer), parentOf(parentOf(pointer))]
      return isCount && !isInList(pointer) && holders.some((one) => around.includes(one)) ? [[pointer, count]] : []
    }),
  )
}

/** Returns true for 100, 1,000 and 10,000, of which there are not as many executions. */
const isWhole = (value: unknown) => wholes.includes(numberOf(value) ?? 0) && numberOf(value) !== 1

/** Returns true for a share of all: in small numbers, a duration is seldom 1. */
const isAll = (value: unknown) => isWhole(value) || [1, 100].includes(figureOf('success_rate', value) ?? 0)

function isShare(value: unknown): boolean {
  const share = figureOf('success_rate', value) ?? -1
  if (/[%/ ]/.test(String(value))) return share >= 0 && share <= 100
  return (share > 0 && share <= 1) || isWhole(value)
}

/** Returns true if a figure of what has ended is a time, which differs from execution to execution. */
function isTimeOfEnded(workflows: Reads, place: string): boolean {
  const values = valuesSince(workflows, place, (json) => isNone(json, place)).flat()
  const times = values.flatMap((value) => figureOf('completion_time', value) ?? [])
  return times.length === values.length && new Set(times).size > 1 && times.every((time) => time > 0 && time !== 1)
}

/** What two durations differ by if their units do, and the most that rounding changes them by. */
const [unitRatios, rounding] = [[1, 1000, 60_000, 0.001, 1 / 60_000], 0.02]

/** Returns true if a figure of single executions is the largest, or the sum, of some duration of the steps in at least two answers. */
function followsSteps(reads: readonly DetailsOfOne[], place: string): boolean {
  const told = reads.flatMap((read) => {
    const time = figureOf('completion_time', valueAt(read.json, place)) ?? 0
    return read.started === 1 && time > 0 ? [{ time, figures: figuresIn(read.json, read.steps) }] : []
  })
  const names = new Set(told.flatMap(({ figures }) => [...figures.keys()]))
  const isClose = (one: number, other: number) => Math.abs(one - other) <= rounding * other
  return (
    new Set(told.map(({ time }) => time)).size > 1 &&
    [...names].some((name) =>
      unitRatios.some((ratio) =>
        told.every(({ time, figures }) => {
          const values = figures.get(name) ?? []
          const sum = values.reduce((total, one) => total + one, 0)
          return isClose(time * ratio, Math.max(...values)) || (sum > 0 && isClose(time * ratio, sum))
        }),
      ),
    )
  )
}
