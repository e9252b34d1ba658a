/** Finds the figures of details that count executions. */
import { countersIn, executionLists } from '../reading/counts.ts'
import type { Finding } from '../reading/finding.ts'
import { isWithin, type Located, valueAt } from '../reading/locate.ts'
import { changedPlaces, executionFindings, type Reading } from '../reading/movement.ts'
import { isInPart } from '../reading/parts.ts'
import { isInList, leavesOf } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { endingsIn, executedDetails, isOver } from './executions.ts'
import type { Compared } from './particulars.ts'
import { findingAt } from './show.ts'
import { workflow } from './workflows.ts'

export const byProfile = 'the profile says so'
const started = 'executions-started'

/** Finds the figures of the details that count executions of a workflow, by their changes and their names. */
export function counters(evidence: Evidence): readonly Finding[] {
  return evidence.once('counters', () => {
    const place = evidence.settings.profile.locators?.[started]
    const found = executionFindings(readingsOf(evidence)).map((one) => ({ ...one, answer: 'details' }))
    if (place === undefined) return found
    const given = findingAt(started, 'details', place, undefined, byProfile, 'named')
    return [given, ...found.filter((one) => one.place !== place)]
  })
}

/** Returns the readings that tell which figures follow at once. With `isLate`, figures may be computed a little later. */
function readingsOf(evidence: Evidence, isLate = false): Reading[] {
  const reading = (which: 1 | 2, executions: number, read: () => Exchange) => {
    const id = resultIfSucceeded(() => workflow(evidence, which).id.value)
    const answer = resultIfSucceeded(read)
    return id !== undefined && answer && succeeded(answer)
      ? [{ workflow: String(id), executions, details: answer.json }]
      : []
  }
  return [
    ...reading(1, 0, () => workflow(evidence, 1).details),
    ...reading(2, 0, () => workflow(evidence, 2).details),
    ...reading(2, 0, () => evidence.last('read workflow 2 beside')),
    ...reading(1, 1, () => (isLate ? evidence.last('read workflow 1 at last') : executedDetails(evidence, 1).after)),
    ...reading(2, 1, () => evidence.last(isLate ? 'read workflow 2 at last' : 'settle workflow 2')),
    ...(isLate ? [] : reading(1, 1, () => evidence.last('read workflow 1 afterwards'))),
  ]
}

/** Returns the answers to a step, as far as there are any. */
const readsOf = (evidence: Evidence, step: StepName) =>
  (resultIfSucceeded(() => evidence.all(step)) ?? []).filter(succeeded)

/**
 * Returns the places of the figures that must count the second execution of workflow 1 once a list shows it. They have counted the first one:
 * while it was open and still after its end, or after it had ended like the second. In the latter case, nothing but the list may have changed.
 */
export function countersBeside(evidence: Evidence, after: Exchange): string[] {
  const steps = ['read workflow 1 executed', 'read workflow 1 afterwards', 'read workflow 1 at last'] as const
  const reads = steps.flatMap((step) => readsOf(evidence, step))
  const before = reads.at(-1)
  const late = executionFindings(readingsOf(evidence, true))
  const places = [...counters(evidence), ...late].flatMap(({ place, strength }) =>
    strength === 'proven' ? [place] : [],
  )
  const lengthAt = (place: string, one: unknown) => {
    const value = valueAt(one, place)
    return Array.isArray(value) ? value.length : 0
  }
  const grown = places.filter((place) => before && lengthAt(place, after.json) > lengthAt(place, before.json))
  if (!before || grown.length === 0) return []
  // A count of open executions is back at zero.
  const isDone = ({ pointer, value }: Located) =>
    value === 1 && !isInList(pointer) && valueAt(before.json, pointer) === 0
  const wasOpen = (begun: Exchange) =>
    leavesOf(begun.json).some(isDone) || (isOver(evidence, 1, before) && !isOver(evidence, 1, begun))
  const counted = [before, ...readsOf(evidence, 'read workflow 2 at last').slice(-1)].flatMap(endingsIn)
  const areAlike = endingsIn(after).every((end) => end !== undefined && counted.includes(end))
  const elsewhere = changedPlaces(before.json, after.json).filter(
    (place) => !grown.some((list) => isWithin(place, list)) && readTime(valueAt(after.json, place)) === undefined,
  )
  const isFrozen = areAlike && elsewhere.length === 0
  return places.filter((place) => {
    const count = Number(valueAt(before.json, place))
    // One execution more need not bring one more piece of advice.
    if (isInPart(after.json, place, 'bottlenecks', 'optimization_recommendations')) return false
    return count > 0 && reads.some((read) => valueAt(read.json, place) === count && (isFrozen || wasOpen(read)))
  })
}

/** Returns the finding of the figure at a place; a likely one if only its name identifies it. */
export function counterAt(evidence: Evidence, place: string): Finding {
  const known = counters(evidence).find((one) => one.place === place)
  return known ?? findingAt(started, 'details', place, undefined, 'is called a count of executions', 'likely')
}

/** Returns the strongest finding of a figure or list that should count executions but does not change, with its value. */
export function still(evidence: Evidence, exchange: Exchange): [Finding, Compared] {
  const counter = stillCounter(evidence)
  return [counter, { exchange, ...(counter.place !== '' && { shown: valueAt(exchange.json, counter.place) }) }]
}

function stillCounter(evidence: Evidence): Finding {
  const { after } = executedDetails(evidence, 1)
  const places = [...countersIn(after.json).map(({ place }) => place), ...executionLists(after.json).keys()]
  const found = places.map((place) => counterAt(evidence, place))
  return found.find(({ strength }) => strength !== 'likely') ?? found[0] ?? counterAt(evidence, '')
}
