/** Merges the rows of replays and comparisons that have one cause. */
import { count } from '../report/tally.ts'
import type { ReportRow } from './session-report.ts'

/** Returns one row for all that say the same of several calls. */
export function mergedRows(rows: readonly ReportRow[]): ReportRow[] {
  const groups = groupsOf(rows, ({ word, text, calls = [] }) => [word, text, ...calls].join('\n'))
  return groups.flatMap((same) => {
    const named = same.length > 1 ? calledBy(same.map(({ name }) => name)) : {}
    return same.slice(0, 1).map((first) => ({ ...first, ...named }))
  })
}

/** The most places that a row names. */
export const mostPlaces = 6

/** Names a row that is about one call or several, or about other things. */
export function calledBy(calls: readonly string[], what = 'call'): Pick<ReportRow, 'name' | 'calls'> {
  const [first = '', ...others] = calls
  return others.length === 0 ? { name: first } : { name: `${first} and ${count(others.length, `more ${what}`)}`, calls }
}

/** Returns the items in groups of the same key, in the order of their first items. */
export function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}
