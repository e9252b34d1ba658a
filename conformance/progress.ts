import { isIdentifier, membersOf, wordsOf } from './locate.ts'
import { executionCounters } from './sections.ts'

/** Whether details show that an execution has begun: they do, they ought to and do not, or they show no executions at all. */
export type Shown = 'yes' | 'no' | 'unknown'

/** Compares details from before an execution and after it. */
export function executionShown(before: unknown, after: unknown, identifiers: readonly (string | number)[]): Shown {
  const values = new Set(membersOf(after).flatMap(({ value }) => (isIdentifier(value) ? [String(value)] : [])))
  if (identifiers.some((identifier) => String(identifier).length > 5 && values.has(String(identifier)))) return 'yes'
  const counters = executionCounters(after)
  const counted = executionCounters(before)
  if ([...counters].some(([pointer, value]) => value > (counted.get(pointer) ?? 0))) return 'yes'
  const lists = executionLists(after)
  const listed = executionLists(before)
  if ([...lists].some(([pointer, length]) => length > (listed.get(pointer) ?? 0))) return 'yes'
  return counters.size > 0 || lists.size > 0 ? 'no' : 'unknown'
}

/** Lists of executions, and how long they are. */
function executionLists(json: unknown): Map<string, number> {
  const lists = membersOf(json).flatMap(({ pointer, value }): [string, number][] =>
    Array.isArray(value) && /^(executions?|runs?)$/.test(wordsOf(pointer).at(-1) ?? '')
      ? [[pointer, value.length]]
      : [],
  )
  return new Map(lists)
}
