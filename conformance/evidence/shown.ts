/** Finds the figures of details that count executions. */
import { countersIn, executionLists } from '../reading/counts.ts'
import type { Finding } from '../reading/finding.ts'
import { type Located, valueAt } from '../reading/locate.ts'
import { executionFindings, type Reading } from '../reading/movement.ts'
import { isInList, leavesOf } from '../reading/places.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executedDetails, isOver } from './executions.ts'
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

function readingsOf(evidence: Evidence): Reading[] {
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
    ...reading(1, 1, () => executedDetails(evidence, 1).after),
    ...reading(2, 0, () => evidence.last('read workflow 2 beside')),
    ...reading(2, 1, () => evidence.last('settle workflow 2')),
    ...reading(1, 1, () => evidence.last('read workflow 1 afterwards')),
  ]
}

/**
 * Returns the figures that have counted the first execution while it was open, and go on after its end, if a list that follows the executions
 * shows another one now. So they count neither open executions nor those that ended in some way.
 */
export function countersBeside(evidence: Evidence, begun: Exchange, before: Exchange, { json }: Exchange): string[] {
  const places = counters(evidence).flatMap(({ place, strength }) => (strength === 'proven' ? [place] : []))
  const lengthAt = (place: string, one: unknown) => {
    const value = valueAt(one, place)
    return Array.isArray(value) ? value.length : 0
  }
  const hasGrown = places.some((place) => lengthAt(place, json) > lengthAt(place, before.json))
  // A count of open executions is back at zero.
  const isDone = ({ pointer, value }: Located) =>
    value === 1 && !isInList(pointer) && valueAt(before.json, pointer) === 0
  const hasEnded = leavesOf(begun.json).some(isDone) || (isOver(evidence, 1, before) && !isOver(evidence, 1, begun))
  return hasGrown && hasEnded ? places.filter((place) => Number(valueAt(begun.json, place)) > 0) : []
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
