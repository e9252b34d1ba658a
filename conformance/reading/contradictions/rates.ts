/** Success rates that no executions can have. */
import { type Count, countersIn, countsIn, mayBeNewer } from '../counts.ts'
import { figuresIn } from '../figures.ts'
import { isWithin, valueAt } from '../locate.ts'
import { listedExecutions } from '../outcomes.ts'
import { findPart, isPlainlyNamed, mayBePart, placesCalled } from '../parts.ts'
import { figureOf } from '../places.ts'
import { besideCount, type Contradiction, contradiction, sectionOf } from './contradiction.ts'

/** The counts of executions that the deployment has shown to follow, by place. */
type ProvenCounts = ReadonlyMap<string, number>

/**
 * Finds a rate or a completion time that is below 0, or a rate above 100. Of few executions, a rate above 1 is a percentage of at least
 * some size; but some deployments add a success and a failure to the counts: (1 + 0) / (1 + 2).
 */
export function impossible(
  json: unknown,
  part: 'success_rate' | 'completion_time',
  counts: ProvenCounts,
): Contradiction | undefined {
  const wrong = placesCalled(json, part).find(({ value }) => !mayBePart(part, value))
  const place = wrong?.pointer ?? findPart(json, part)
  const shown = place === undefined ? undefined : valueAt(json, place)
  const value = figureOf(part, shown)
  if (place === undefined || value === undefined) return undefined
  const [beside] = [...counts.keys()].flatMap((counter) => besideCount(place, counter) ?? [])
  const executions = Math.max(...counts.values(), 0)
  const isTooSmall = beside !== undefined && value > 1 && value < 100 / (executions + 2)
  // 10,000 basis points are all.
  const isAbove = value > 100 && value !== 10_000
  const isOut = (value < 0 && shown !== -1) || (part === 'success_rate' && (isAbove || isTooSmall))
  if (!isOut) return undefined
  const isNamed = beside !== undefined && isPlainlyNamed(beside, part)
  const rule = isNamed ? besideCounts : 'its name alone'
  const message = `${place} is ${value}, ${isTooSmall ? `no rate of ${executions} executions is` : 'which is impossible'}`
  return contradiction(part, [place, value], rule, message, isNamed ? 'named' : 'likely')
}

const besideCounts = 'is called nothing else, beside a proven count of executions'

/** A success rate, and the object that it stands in. */
interface Rate {
  readonly place: string
  readonly value: number
}

/**
 * Finds a success rate that is no share of the executions that have ended. `counts` are all known counts of executions, `earlier` are
 * earlier details of the same workflow: a rate may be computed later than counts.
 */
export function wrongShare(
  json: unknown,
  counts: ProvenCounts,
  earlier: readonly unknown[] = [],
): Contradiction | undefined {
  const place = findPart(json, 'success_rate')
  const value = place === undefined ? undefined : rateAt(json, place)
  if (place === undefined || value === undefined) return undefined
  return (
    shareOfCounts(json, { place, value }, counts, earlier) ??
    (value === 0 ? shareOfListed(json, place, earlier) : undefined)
  )
}

/** Returns the rate at a place, which may be an object around it. */
function rateAt(json: unknown, place: string): number | undefined {
  const shown = valueAt(json, place)
  const figure = figureOf('success_rate', shown)
  // What is written with a sign is a percentage, also 1 %.
  const isPercent = typeof shown === 'string' && shown.endsWith('%')
  const own = figure !== undefined && isPercent ? figure / 100 : figure
  const within = figuresIn(json).filter(({ pointer }) => isWithin(pointer, place))
  return own ?? (within.length === 1 ? within[0]?.value : undefined)
}

/** Finds a rate of 0 beside a list of executions of which one was approved. */
function shareOfListed(json: unknown, place: string, earlier: readonly unknown[]): Contradiction | undefined {
  const approved = listedExecutions(json).filter(({ outcome }) => outcome === 'approved').length
  const isDenied = countsIn(json).some((one) => one.isOfExecutions && one.kind === 'denied' && one.value >= approved)
  if (approved === 0 || isDenied || !isPlainlyNamed(place, 'success_rate') || mayBeNewer(earlier, json, place))
    return undefined
  const message = `${place} is 0, but ${approved} of the listed executions ${approved === 1 ? 'was' : 'were'} approved`
  return contradiction('success_rate', [place, 0], 'is called nothing else, beside a list of the executions', message)
}

/**
 * Finds a rate that is no share of counted executions: 0 although some were approved; or not one of the few shares that are possible once
 * all have ended. A rate of 1 beside denied ones is none: a success may be any execution that has ended without an error.
 */
function shareOfCounts(
  json: unknown,
  { place, value }: Rate,
  counts: ProvenCounts,
  earlier: readonly unknown[],
): Contradiction | undefined {
  const isBeside = (counter: string) => {
    const names = Array.isArray(valueAt(json, counter)) ? undefined : besideCount(place, counter)
    return names !== undefined && isPlainlyNamed(names, 'success_rate')
  }
  const [whole, total = 0] = [...counts].find(([counter]) => isBeside(counter)) ?? []
  if (whole === undefined) return undefined
  const figures = countsIn(json).filter((one) => one.isOfExecutions && isWithin(one.place, sectionOf(whole)))
  const of = (kind: Count['kind']) => figures.filter((one) => one.kind === kind)
  const [denied, ended, open] = [of('denied'), of('ended'), of('open')]
  const sumDenied = denied.reduce((sum, one) => sum + one.value, 0)
  // A count of all that have ended contains those that were denied.
  const some = denied.length > 0 ? ended.find((one) => one.value > sumDenied) : undefined
  if (value === 0) {
    if (!some || mayBeNewer(earlier, json, some.place)) return undefined
    const beside = [some, ...denied].map((one) => `${one.place} is ${one.value}`).join(' and ')
    return contradiction('success_rate', [place, 0], besideCounts, `${place} is 0, but ${beside}`)
  }
  const areApproved = some !== undefined && sumDenied === 0 && ended.some((one) => one.value === total)
  const isOver = open.length > 0 && open.every((one) => one.value === 0)
  // A rate may be that of fewer executions.
  const isOld = earlier.some((one) => rateAt(one, place) === value)
  const isWrong = (isOver && !isShare(value, total, 0)) || (areApproved && !isOld && !isShare(value, total, total))
  if (total < 1 || total > 3 || !isWrong || mayBeNewer(earlier, json, whole)) return undefined
  const message = `${place} is ${value}, but ${whole} is ${total}, and all ${areApproved ? 'were approved' : 'have ended'}`
  return contradiction('success_rate', [place, value], besideCounts, message)
}

/** Returns true if a rate is that of at least some successes. Some deployments add a success and a failure to the counts, or half of each. */
function isShare(rate: number, total: number, least: number): boolean {
  const shown = rate > 1 ? rate / 100 : rate
  const shares = [0, 0.5, 1].flatMap((added) =>
    Array.from({ length: total + 1 - least }, (_, more) => (least + more + added) / (total + 2 * added)),
  )
  return shares.some((share) => Math.abs(shown - share) < 0.011)
}

/** Returns the counts that include all executions: those that are proven, and those that may have lagged too often to be. */
export const fullCounts = (json: unknown, started: number, proven: ProvenCounts): ProvenCounts =>
  new Map([
    ...countersIn(json).flatMap(({ place, value }) => (value === started ? [[place, value] as const] : [])),
    ...proven,
  ])
