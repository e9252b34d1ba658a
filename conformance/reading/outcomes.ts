/** The executions that details list, with how they ended. */
import { isObject } from '../../src/contract/json.ts'
import { executionLists } from './counts.ts'
import { type Located, membersOf, oncePerAnswer, valueAt } from './locate.ts'
import { leavesOf } from './places.ts'
import { readTime } from './times.ts'
import { isNamed, mentionsRole, termsOf } from './vocabulary.ts'

/** An execution as details list it. */
export interface ListedExecution {
  /** What has ended in no other words may have been denied. */
  readonly outcome: 'approved' | 'denied' | 'ended' | 'open'
  /** Its own members. */
  readonly own: Readonly<Record<string, unknown>>
  readonly record: unknown
}

/** Returns the executions of the first list that shows a state of each. Empty if there is none. */
export const listedExecutions = oncePerAnswer((json): readonly ListedExecution[] => {
  for (const list of executionLists(json).keys()) {
    const records = Object.values(valueAt(json, list) ?? {})
    const found = records.flatMap((record): ListedExecution[] => {
      const outcome = outcomeShownBy(record)
      return outcome ? [{ outcome, own: ownMembers(record), record }] : []
    })
    if (found.length > 0 && found.length === records.length) return found
  }
  return []
})

/** Returns how an execution has ended, by its own state. Undefined if it shows none. */
export function outcomeShownBy(record: unknown): ListedExecution['outcome'] | undefined {
  const own = Object.entries(ownMembers(record))
  // A state may be an object that begins with its name: `{"type": "approved", "at": …}`.
  const textOf = (value: unknown) =>
    isObject(value) ? Object.values(value).find((one) => typeof one === 'string') : value
  const state = own.map(([name, value]) => isState(name) && textOf(value)).find((one) => typeof one === 'string')
  if (state === undefined) return undefined
  const terms = termsOf(state)
  if (mentionsRole(terms, 'denied')) return 'denied'
  if (!mentionsRole(terms, 'ended')) return 'open'
  // What is completed may have been rejected, as another member says.
  const says = ({ value }: Located) => typeof value === 'string' && mentionsRole(termsOf(value), 'denied')
  if (leavesOf(record).some(says)) return 'denied'
  return mentionsRole(terms, 'approval', 'success') ? 'approved' : 'ended'
}

/** Returns the members of a record, also those within an envelope such as the `attributes` of JSON:API. */
function ownMembers(record: unknown): Record<string, unknown> {
  const own = isObject(record) ? record : {}
  const enclosed = Object.entries(own).flatMap(([name, value]) =>
    isObject(value) && isNamed(name, 'envelope') ? [value] : [],
  )
  return Object.assign({}, ...enclosed, own)
}

const isState = (name: string) => mentionsRole(termsOf(name).slice(-1), 'state')

/** Returns the times of an execution by name, and the first and the last of all times that it shows. */
export function timesOf({ own, record }: ListedExecution): Map<string, number> {
  const shown = Object.entries(own).flatMap(([name, value]): [string, number][] => {
    const time = readTime(value)
    return time ? [[name, time.ms]] : []
  })
  const all = membersOf(record).flatMap(({ value }) => readTime(value)?.ms ?? [])
  return new Map([...shown, ...(all.length > 0 ? extremes(all) : [])])
}

const extremes = (times: readonly number[]): [string, number][] => [
  ['its first time', Math.min(...times)],
  ['its last time', Math.max(...times)],
]
