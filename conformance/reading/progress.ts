import { isObject } from '../../src/contract/json.ts'
import { countOnlyOutcomes, executionCounters, executionFigures } from './counters.ts'
import { isIdentifier, lastName, membersOf, oncePerAnswer, valueAt } from './locate.ts'
import { findSection } from './sections.ts'
import { isNamed, mentionsRole, termsOf } from './vocabulary.ts'

/**
 * The ways in which details show that an execution has started: they do; they should but do not; they may show it only when it has ended
 * or when they are computed again; or they show no executions at all.
 */
export type ShownProgress = 'yes' | 'no' | 'undecided' | 'unknown'

/** Compares details from before an execution and after it. */
export function executionShown(
  before: unknown,
  after: unknown,
  identifiers: readonly (string | number)[],
): ShownProgress {
  const values = new Set(membersOf(after).flatMap(({ value }) => (isIdentifier(value) ? [String(value)] : [])))
  if (identifiers.some((identifier) => String(identifier).length > 5 && values.has(String(identifier)))) return 'yes'
  const figures = executionFigures(after)
  const lists = executionLists(after)
  if (hasGrown(executionFigures(before), figures) || hasGrown(executionLists(before), lists)) return 'yes'
  const counters = executionCounters(after)
  if (counters.size + lists.size === 0) return 'unknown'
  if (isStale(before, after) || (lists.size === 0 && countOnlyOutcomes(figures, counters))) return 'undecided'
  return 'no'
}

function hasGrown(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean {
  return [...after].some(([pointer, value]) => value > (before.get(pointer) ?? 0))
}

/** Returns the lengths of lists of executions by JSON Pointer, without lists of ended ones. Includes maps by identifier. */
export const executionLists = oncePerAnswer((json): ReadonlyMap<string, number> => {
  const lists = membersOf(json).flatMap(({ pointer, value }): [string, number][] => {
    const length = Array.isArray(value) ? value.length : sizeByIdentifier(value)
    if (length === undefined) return []
    const names = pointer.split('/')
    // A page of a list is in an object around it: /recent_executions/results.
    while (names.length > 2 && isNamed(names.at(-1) ?? '', 'envelope')) names.pop()
    const terms = names.flatMap(termsOf)
    const isOfExecutions = mentionsRole(terms.slice(-1), 'execution') && !mentionsRole(terms, 'ended')
    return isOfExecutions ? [[pointer, length]] : []
  })
  return new Map(lists)
})

/** Returns the number of members of an object whose members are objects alike, each under its own identifier. Undefined for others. */
function sizeByIdentifier(value: unknown): number | undefined {
  if (!isObject(value)) return undefined
  const [first, ...others] = Object.values(value)
  if (!isObject(first) || !Object.keys(value).every(isKey)) return undefined
  const names = Object.keys(first).join()
  return others.every((one) => isObject(one) && Object.keys(one).join() === names) ? others.length + 1 : undefined
}

/** Returns true for a number, or a long text with digits. Years and percentiles are neither. */
const isKey = (name: string) => /^\d{5,}$/.test(name) || (name.length > 5 && /\d/.test(name) && /[^\d-]/.test(name))

/** Returns true if the figures have a time of computation that has not changed. */
export function isStale(before: unknown, after: unknown): boolean {
  const earlier = stampsIn(before)
  return [...stampsIn(after)].some(([pointer, stamp]) => earlier.get(pointer) === stamp)
}

/**
 * Returns true if a time of computation is shown, and the figure at a place may be newer than the others: it changed while the
 * time stayed the same, or was never seen to change with it.
 */
export function mayBeNewer(earlier: readonly unknown[], json: unknown, place: string): boolean {
  if (stampsIn(json).size === 0) return false
  const reads = [...earlier, json]
  const changes = reads
    .slice(1)
    .map((after, index) => [reads[index], after] as const)
    .filter(([before, after]) => valueAt(before, place) !== valueAt(after, place))
  return changes.length === 0 || changes.some(([before, after]) => isStale(before, after))
}

function stampsIn(json: unknown): Map<string, unknown> {
  const section = findSection(json, 'execution_metrics')
  const stamps = membersOf(json).filter(({ pointer, value }) => {
    const last = termsOf(lastName(pointer)).slice(-1)
    const isWithin = section !== undefined && pointer.startsWith(`${section}/`)
    const isStamp = mentionsRole(last, 'computed') || (isWithin && mentionsRole(last, 'updated'))
    return isStamp && !/\/\d+\//.test(pointer) && value !== null && typeof value !== 'object'
  })
  return new Map(stamps.map(({ pointer, value }) => [pointer, value]))
}
