/** The figures and lists of details that count executions, by their names. */
import { isObject } from '../../src/contract/json.ts'
import { isIdentifier, lastName, membersOf, oncePerAnswer, parentOf, valueAt } from './locate.ts'
import { findPart } from './parts.ts'
import { hasRole, isNamed, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

/** A number in the execution metrics. */
export interface Count {
  readonly place: string
  readonly value: number
  /** True if a new execution increases it. */
  readonly isCounter: boolean
  /** True if it counts all executions, neither open ones only nor those of a period. */
  readonly isTotal: boolean
  /** What its own name says about the executions that it counts, and about nothing else. */
  readonly kind: 'ended' | 'denied' | 'open' | undefined
  /** False in an object with a name for something else. */
  readonly isOfExecutions: boolean
  /** True if its own name, or that of its parent, means executions. */
  readonly isNamedForExecutions: boolean
}

/** Words of figures that count started executions, in any state. */
const begun: readonly Role[] = ['count', 'execution', 'begun', 'open']

/** Words for figures of several workflows, or of other things than executions. */
const others: readonly Role[] = ['other', 'task', 'person', 'step']

/** Words in the path of a figure that do not change its meaning. */
const neutral: readonly Role[] = ['execution', 'count', 'measure', 'overview', 'state', 'workflow', 'linking']

/** Returns the numbers in the execution metrics. */
export const countsIn = oncePerAnswer((json): readonly Count[] => {
  const section = findPart(json, 'execution_metrics')
  if (section === undefined) return []
  const own = membersOf(json)
  const isLoose = own.some(({ pointer, value }) => pointer === section && numberIn(value) !== undefined)
  // If figures are beside the workflow's own fields, one is found as the section. Those beside it are figures as well.
  const isBeside = (pointer: string) =>
    parentOf(pointer) === parentOf(section) && isForExecutions([termsOf(lastName(pointer))])
  return own.flatMap(({ pointer, value }) => {
    const number = numberIn(value)
    const isWithin = pointer === section || (isLoose ? isBeside(pointer) : pointer.startsWith(`${section}/`))
    return number === undefined || !isWithin ? [] : [countAt(pointer, number, section)]
  })
})

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : undefined
  return typeof value === 'number' ? value : undefined
}

const isForExecutions = (names: readonly (readonly Term[])[]) =>
  names.slice(-2).some((terms) => mentionsRole(terms, 'execution'))

const isOnly = (own: readonly Term[], ...roles: readonly Role[]) => own.every((term) => hasRole(term, ...roles))

function countAt(place: string, value: number, section: string): Count {
  const names = place.split('/').slice(1).map(termsOf)
  const own = names.at(-1) ?? []
  const around = names.slice(section.split('/').length - 1, -1).flat()
  const isNamedForExecutions = isForExecutions(names)
  const isOfExecutions = isOnly(around, ...neutral) || isNamedForExecutions
  const isCounter =
    isOfExecutions &&
    mentionsRole(own, ...begun) &&
    isOnly(own, 'linking', ...begun) &&
    !mentionsRole(names.flat(), 'ended', ...others)
  return {
    place,
    value,
    isCounter,
    isTotal: isCounter && isTotal(own, around),
    kind: kindOf(own),
    isOfExecutions,
    isNamedForExecutions,
  }
}

/** `executions_started` counts all; `started` alone may be a state that executions leave, and so may be what says that they run. */
function isTotal(own: readonly Term[], around: readonly Term[]): boolean {
  const isStarted = (term: Term) => hasRole(term, 'begun') && !hasRole(term, 'atWork', 'open')
  return (
    mentionsRole(own, own.some(isStarted) ? 'execution' : 'count') &&
    own.every((term) => hasRole(term, 'count', 'execution', 'linking') || isStarted(term)) &&
    isOnly(around, ...neutral)
  )
}

function kindOf(own: readonly Term[]): Count['kind'] {
  if (mentionsRole(own, 'ended') && isOnly(own, 'ended', 'execution', 'count', 'linking')) {
    return mentionsRole(own, 'denied') ? 'denied' : 'ended'
  }
  const isOpen = mentionsRole(own, 'open', 'atWork') && isOnly(own, 'open', 'atWork', 'execution', 'count', 'linking')
  return isOpen ? 'open' : undefined
}

/** Returns the figures that a new execution increases. */
export const countersIn = oncePerAnswer((json) => countsIn(json).filter(({ isCounter }) => isCounter))

/** Returns the figures that count all executions. */
export const totalsIn = oncePerAnswer((json) => countsIn(json).filter(({ isTotal }) => isTotal))

/** Returns true if a counter counts executions and not, for example, pending approvals, of which an execution has several. */
export const countsExecutions = ({ place }: Count) =>
  mentionsRole(termsOf(lastName(place)), 'execution', 'begun', 'count')

/** Returns the value of the same figure in another answer; 0 if it is absent there. */
export const countIn = (counts: readonly Count[], { place }: Count) =>
  counts.find((one) => one.place === place)?.value ?? 0

/** Returns true if details count only ended executions: a total and its outcomes, and no open ones. */
export function countOnlyOutcomes(json: unknown): boolean {
  const isOneWord = ({ place }: Count, role: Role) => {
    const own = termsOf(lastName(place))
    return own.length === 1 && mentionsRole(own, role)
  }
  const outcomes = countsIn(json).filter((one) => isOneWord(one, 'ended'))
  return outcomes.length >= 2 && countersIn(json).every((one) => isOneWord(one, 'count'))
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
  const [lists, earlier] = [executionLists(after), executionLists(before)]
  const isLonger = [...lists].some(([pointer, length]) => length > (earlier.get(pointer) ?? 0))
  if (isLonger || countsIn(after).some((one) => one.value > countIn(countsIn(before), one))) return 'yes'
  if (countersIn(after).length + lists.size === 0) return 'unknown'
  return isStale(before, after) || (lists.size === 0 && countOnlyOutcomes(after)) ? 'undecided' : 'no'
}

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
  const section = findPart(json, 'execution_metrics')
  const stamps = membersOf(json).filter(({ pointer, value }) => {
    const last = termsOf(lastName(pointer)).slice(-1)
    const isWithin = section !== undefined && pointer.startsWith(`${section}/`)
    const isStamp = mentionsRole(last, 'computed') || (isWithin && mentionsRole(last, 'updated'))
    return isStamp && !/\/\d+\//.test(pointer) && value !== null && typeof value !== 'object'
  })
  return new Map(stamps.map(({ pointer, value }) => [pointer, value]))
}
