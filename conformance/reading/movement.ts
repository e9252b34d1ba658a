/** Finds figures that count executions by their changes, not by their names. */
import { countersIn, executionLists } from './counts.ts'
import type { Finding } from './finding.ts'
import { membersOf, valueAt } from './locate.ts'
import { isInList, numberOf } from './places.ts'
import { readTime } from './times.ts'
import { mentionsRole, type Role, termsOf } from './vocabulary.ts'

/** The details of a workflow at a moment. The readings of a run are in chronological order. */
export interface Reading {
  /** The identifier of the workflow. */
  readonly workflow: string
  /** The number of executions of this workflow that had been accepted by then. */
  readonly executions: number
  readonly details: unknown
}

/** Two readings of one workflow, and the number of executions accepted between them. */
interface Span {
  readonly workflow: string
  readonly before: unknown
  readonly after: unknown
  readonly started: number
}

/** Roles of figures that one execution may also increase by 1, such as figures of all workflows, or of tasks. */
const others: readonly Role[] = ['other', 'task', 'person', 'step', 'bookkeeping', 'identifier']

/** The changes of a figure over all spans of a run. */
interface Movement {
  readonly place: string
  readonly value: number | undefined
  /** True if it increased by the number of executions at least once. */
  readonly follows: boolean
  readonly moved: boolean
  readonly isProven: boolean
  readonly contradictions: readonly string[]
}

/**
 * Finds places that increase by the number of executions between two readings of a workflow. Proven if the place does not
 * change for a workflow that is not executed, and no reading contradicts. Named if it is called a count of executions, and
 * increases or no other figure is proven to count them. Otherwise likely.
 */
export function executionFindings(readings: readonly Reading[]): Finding[] {
  const spans = spansOf(readings)
  const called = new Set(readings.flatMap(({ details }) => calledCounts(details)))
  const places = new Set([...readings.flatMap(({ details }) => [...numbersIn(details).keys()]), ...called])
  const movements = [...places].map((place) => movementOf(place, spans))
  const isCounted = movements.some(({ isProven }) => isProven)
  return movements.flatMap(({ place, value, follows, moved, isProven, contradictions }): Finding[] => {
    const own = { what: 'executions-started', value, place, rejected: contradictions }
    if (isProven) {
      const rule = 'increased by the number of executions, and stayed the same for a workflow that was not executed'
      return [{ ...own, strength: 'proven', rule }]
    }
    if (called.has(place) && moved) {
      return [{ ...own, strength: 'named', rule: 'is called a count of executions, and goes up when one is started' }]
    }
    if (called.has(place) && !isCounted && spans.length > 0) {
      return [{ ...own, strength: 'named', rule: 'is called a count of executions, and no other figure counts them' }]
    }
    return follows ? [{ ...own, strength: 'likely', rule: 'increased by the number of executions' }] : []
  })
}

/** Returns the JSON Pointers of figures and lists whose names are those of started executions. */
function calledCounts(details: unknown): string[] {
  return [...countersIn(details).map(({ place }) => place), ...executionLists(details).keys()]
}

function movementOf(place: string, spans: readonly Span[]): Movement {
  const moves = spans.map((span) => ({ ...span, by: movedBy(place, span) }))
  const followed = moves.find(({ started, by }) => started > 0 && by === started)
  const isElsewhere = moves.some(
    ({ workflow, started, by }) =>
      started === 0 && by === 0 && followed !== undefined && workflow !== followed.workflow,
  )
  const contradictions = moves
    .filter(({ started, by }) => by !== undefined && by !== started)
    .map(({ workflow, started, by }) => `${place}: changed by ${by} for ${workflow}, after ${started} executions`)
  const isOther = mentionsRole(place.split('/').flatMap(termsOf), ...others)
  return {
    place,
    value: numberAt(followed?.after ?? spans.at(-1)?.after, place),
    follows: followed !== undefined,
    moved: moves.some(({ by = 0 }) => by > 0),
    isProven: isElsewhere && contradictions.length === 0 && !isOther,
    contradictions,
  }
}

/** Returns the pointers at which two readings of a workflow differ. */
export function changedPlaces(before: unknown, after: unknown): string[] {
  const leaves = (json: unknown) =>
    new Map(membersOf(json).map(({ pointer, value }) => [pointer, typeof value === 'object' ? sizeOf(value) : value]))
  const [earlier, later] = [leaves(before), leaves(after)]
  return [...new Set([...earlier.keys(), ...later.keys()])].filter((place) => earlier.get(place) !== later.get(place))
}

/**
 * Returns true if more than times has changed between two readings of a workflow. Ignores the `volatile` places, which change with each
 * reading, such as the identifier of a request.
 */
export function hasMoved(before: unknown, after: unknown, volatile: readonly string[] = []): boolean {
  return changedPlaces(before, after).some((place) => !volatile.includes(place) && !readTime(valueAt(after, place)))
}

function spansOf(readings: readonly Reading[]): Span[] {
  return readings.flatMap((after, index) => {
    const before = readings.slice(0, index).findLast(({ workflow }) => workflow === after.workflow)
    if (!before) return []
    const started = after.executions - before.executions
    return [{ workflow: after.workflow, before: before.details, after: after.details, started }]
  })
}

function movedBy(place: string, { before, after }: Span): number | undefined {
  const to = numberAt(after, place)
  // A figure that is absent before the first execution counts as 0.
  return to === undefined ? undefined : to - (numberAt(before, place) ?? 0)
}

function numberAt(json: unknown, place: string): number | undefined {
  return numberIn(valueAt(json, place))
}

function numberIn(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : wholeNumber(value)
}

/** Returns the integers and list lengths of an answer by JSON Pointer. Ignores members of list items, whose positions may change. */
function numbersIn(json: unknown): Map<string, number> {
  return new Map(
    membersOf(json).flatMap(({ pointer, value }): [string, number][] => {
      const number = isInList(pointer) ? undefined : numberIn(value)
      return number === undefined ? [] : [[pointer, number]]
    }),
  )
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? undefined : numberOf(value)
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}

const sizeOf = (value: object | null) => (value === null ? null : `${Object.keys(value).length} members`)
