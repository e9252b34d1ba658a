/** Finds figures of details that count executions. */
import { membersOf, oncePerAnswer, parentOf } from './locate.ts'
import { findSection } from './sections.ts'
import { hasRole, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

/** Words of figures that count started executions, in any state. */
const begun: readonly Role[] = ['count', 'execution', 'begun', 'open']

/** Words for figures of several workflows, or of other things than executions. */
const others: readonly Role[] = ['other', 'task', 'person', 'step']

/** Words in the path of a figure that do not change its meaning. */
const neutral: readonly Role[] = ['execution', 'count', 'measure', 'overview', 'state', 'workflow', 'linking']

/** Returns true if a term says that something was begun, not that it runs. */
const isStarted = (term: Term) => hasRole(term, 'begun') && !hasRole(term, 'atWork', 'open')

const saysExecutions = (terms: readonly Term[]) => mentionsRole(terms, 'execution')

/** Returns the terms of each name in a pointer. */
const namesOf = (pointer: string) => pointer.split('/').slice(1).map(termsOf)

/** Returns the numbers in the execution metrics by JSON Pointer. */
export const executionFigures = oncePerAnswer((json): ReadonlyMap<string, number> => {
  const pointer = findSection(json, 'execution_metrics')
  if (pointer === undefined) return new Map()
  const own = membersOf(json)
  const isLoose = own.some((member) => member.pointer === pointer && numberIn(member.value) !== undefined)
  // If figures are beside the workflow's own fields, one is found as the section. Those beside it are figures as well.
  const within = own.filter(
    (member) =>
      member.pointer === pointer ||
      (isLoose
        ? parentOf(member.pointer) === parentOf(pointer) && isNamedForExecutions(`/${member.name}`)
        : member.pointer.startsWith(`${pointer}/`)),
  )
  const numbers = within.map(({ pointer, value }) => [pointer, numberIn(value)] as const)
  return new Map(numbers.filter((entry): entry is [string, number] => entry[1] !== undefined))
})

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : undefined
  return typeof value === 'number' ? value : undefined
}

/** Returns the figures in the execution metrics that a new execution increases, by JSON Pointer. */
export const executionCounters = oncePerAnswer((json): ReadonlyMap<string, number> => {
  const section = findSection(json, 'execution_metrics') ?? ''
  return new Map([...executionFigures(json)].filter(([pointer]) => isCounter(pointer, section)))
})

function isCounter(pointer: string, section: string): boolean {
  const names = namesOf(pointer)
  const own = names.at(-1) ?? []
  if (!mentionsRole(own, ...begun) || !own.every((term) => hasRole(term, 'linking', ...begun))) return false
  return !mentionsRole(names.flat(), 'ended', ...others) && isAboutExecutions(names, section)
}

/** Returns true if the names of a figure within its section say that it is about executions, or nothing else. */
function isAboutExecutions(names: readonly (readonly Term[])[], section: string): boolean {
  const between = names.slice(section.split('/').length - 1, -1).flat()
  return between.every((term) => hasRole(term, ...neutral)) || names.slice(-2).some(saysExecutions)
}

/** Returns the figures in the execution metrics by JSON Pointer, without those in objects with names for something else. */
export const figuresOfExecutions = oncePerAnswer((json): ReadonlyMap<string, number> => {
  const section = findSection(json, 'execution_metrics') ?? ''
  return new Map([...executionFigures(json)].filter(([pointer]) => isAboutExecutions(namesOf(pointer), section)))
})

/**
 * Returns the counters of all executions, by JSON Pointer: neither of open ones only nor of a period. `executions_started` counts all;
 * `started` alone may be a state that executions leave, and so may be what says that they run.
 */
export const executionTotals = oncePerAnswer((json): ReadonlyMap<string, number> => {
  const depth = (findSection(json, 'execution_metrics') ?? '').split('/').length - 1
  const isTotal = (pointer: string) => {
    const names = namesOf(pointer)
    const own = names.at(-1) ?? []
    return (
      (own.some(isStarted) ? saysExecutions(own) : mentionsRole(own, 'count')) &&
      own.every((term) => hasRole(term, 'count', 'execution', 'linking') || isStarted(term)) &&
      names
        .slice(depth, -1)
        .flat()
        .every((term) => hasRole(term, ...neutral))
    )
  }
  return new Map([...executionCounters(json)].filter(([pointer]) => isTotal(pointer)))
})

/** Returns true if a counter counts executions and not, for example, pending approvals, of which an execution has several. */
export function countsExecutions(pointer: string): boolean {
  return mentionsRole(namesOf(pointer).at(-1) ?? [], 'execution', 'begun', 'count')
}

/** Returns true if a counter's own name, or that of its parent, says that it counts executions. */
export function isNamedForExecutions(pointer: string): boolean {
  return namesOf(pointer).slice(-2).some(saysExecutions)
}

/** Returns true if the counters count only ended executions: a total and its outcomes, and no open ones. */
export function countOnlyOutcomes(
  figures: ReadonlyMap<string, number>,
  counters: ReadonlyMap<string, number>,
): boolean {
  const isOnly = (pointer: string, role: Role) => {
    const own = namesOf(pointer).at(-1) ?? []
    return own.length === 1 && mentionsRole(own, role)
  }
  const outcomes = [...figures.keys()].filter((pointer) => isOnly(pointer, 'ended'))
  return outcomes.length >= 2 && [...counters.keys()].every((pointer) => isOnly(pointer, 'count'))
}
