/** Lists of workflows, as many deployments have them: of these, only the workflows of the session count. */
import { escapePointer, isObject } from '../../src/contract/json.ts'
import { decodePercent, membersOf, valueAt } from '../reading/locate.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { asksForList } from '../session/calls.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'

/** An answer with a list of workflows. */
interface WorkflowList<Answer extends Exchange> {
  /** The answer with the workflows of the session alone. */
  readonly exchange: Answer
  /** The identifiers of these, in the order of the list. */
  readonly listed: readonly string[]
  /** The JSON Pointer to the list. */
  readonly pointer: string
  readonly kept: readonly unknown[]
  /** True if it listed others too: then it may be one of several pages. */
  readonly hasOthers: boolean
}

/** Returns true for the successful answer to a request for all workflows. */
export const isListOfWorkflows = (exchange: Exchange) => asksForList(exchange.request) && succeeded(exchange)

/**
 * Returns the session with only the known workflows in its lists. Other workflows are not learned, since they may belong to somebody else.
 * A list without known workflows is removed. The members around a list come from a list without other workflows, if there is one.
 */
export function withOwnLists<Answer extends Exchange>(
  exchanges: readonly Answer[],
  known: ReadonlySet<string>,
): Answer[] {
  const lists = new Map(
    exchanges.filter(isListOfWorkflows).flatMap((exchange) => {
      const list = onlyKnown(exchange, known)
      return list ? [[exchange, list] as const] : []
    }),
  )
  const whole = [...lists.values()].filter(({ hasOthers }) => !hasOthers)
  return exchanges.flatMap((exchange) => {
    const list = lists.get(exchange)
    if (!list) return isListOfWorkflows(exchange) ? [] : [exchange]
    return [list.hasOthers ? surroundedAs(list, whole) : exchange]
  })
}

/**
 * Leaves out of a list of workflows all but those with the given identifiers, and counts them alone. Returns undefined for an answer
 * that lists none of them.
 *
 * @example `{ "data": [{ "id": 7 }, { "id": 8 }], "total": 2 }`, of which 8 is known, becomes `{ "data": [{ "id": 8 }], "total": 1 }`
 */
export function onlyKnown<Answer extends Exchange>(
  exchange: Answer,
  known: ReadonlySet<string>,
): WorkflowList<Answer> | undefined {
  const place = placeIn(exchange.json, known)
  if (!place) return undefined
  const { list: pointer, items } = place
  const idOf = (item: unknown) => textOf(valueAt(item, place.id)) ?? ''
  const kept = items.filter((item) => known.has(idOf(item)))
  const hasOthers = kept.length < items.length
  const isCount = (_: string, name: string, value: unknown) => isTotal(name, value, items.length)
  return {
    exchange: hasOthers ? withItems(exchange, { pointer, kept, isCount }) : exchange,
    listed: kept.map(idOf),
    pointer,
    kept,
    hasOthers,
  }
}

/** Returns an answer with the items of a list, and with what surrounds them in lists without others. */
function surroundedAs<Answer extends Exchange>(
  { exchange, pointer, kept }: WorkflowList<Answer>,
  whole: readonly WorkflowList<Answer>[],
): Answer {
  const [first, ...more] = whole.filter((one) => one.pointer === pointer)
  if (!first) return exchange
  const isCount = (at: string, _: string, value: unknown) =>
    value === first.kept.length && more.every((one) => valueAt(one.exchange.json, at) === one.kept.length)
  const { json, bytes } = withItems(first.exchange, { pointer, kept, isCount })
  const headers = new Headers([...exchange.headers].filter(([name]) => first.exchange.headers.has(name)))
  return { ...exchange, json, headers, bytes }
}

interface Items {
  readonly pointer: string
  readonly kept: readonly unknown[]
  /** Returns true for a member that counts the items. */
  readonly isCount: (pointer: string, name: string, value: unknown) => boolean
}

/** Returns an answer with other items in a list, and with their number where the items are counted. */
function withItems<Answer extends Exchange>(exchange: Answer, { pointer: list, kept, isCount }: Items): Answer {
  const changed = (value: unknown, pointer = ''): unknown => {
    if (pointer === list) return kept
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([name, member]) => {
      const at = `${pointer}/${escapePointer(name)}`
      return [name, isCount(at, name, member) ? kept.length : changed(member, at)]
    })
    return Object.fromEntries(members)
  }
  const json = changed(exchange.json)
  const headers = new Headers(exchange.headers)
  for (const [name, value] of exchange.headers) {
    if (isTotalHeader(name, value)) headers.set(name, String(kept.length))
  }
  return { ...exchange, json, headers, bytes: new TextEncoder().encode(JSON.stringify(json)) }
}

/** Where an answer lists workflows, and where each item has its identifier. */
interface Place {
  readonly list: string
  readonly id: string
  readonly items: readonly unknown[]
  readonly found: ReadonlySet<string>
}

/** Finds the list that has the most of the known workflows, and the member that identifies them. */
function placeIn(json: unknown, known: ReadonlySet<string>): Place | undefined {
  const lists = [{ pointer: '', value: json }, ...membersOf(json)].filter(({ value }) => Array.isArray(value))
  const places = lists.flatMap(({ pointer: list, value }) => {
    const items = value as readonly unknown[]
    const found = new Map<string, Set<string>>()
    for (const item of items) {
      for (const { pointer, value: member } of [{ pointer: '', value: item }, ...membersOf(item)]) {
        const id = textOf(member)
        if (id !== undefined && known.has(id)) found.set(pointer, (found.get(pointer) ?? new Set()).add(id))
      }
    }
    return [...found].map(([id, ids]): Place => ({ list, id, items, found: ids }))
  })
  // Counters may equal short identifiers now and then. The first place with the most is that of the identifiers.
  return places.reduce<Place | undefined>(
    (best, one) => (one.found.size > (best?.found.size ?? 0) ? one : best),
    undefined,
  )
}

/** Returns the text of an identifier; of a link, its last segment. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  return value.includes('/') ? decodePercent(value.replace(/\/$/, '').split('/').at(-1) ?? '') : value
}

/** Returns true if a number counts all workflows: its name says that it counts, but not pages, and there are at least as many. */
function isTotal(name: string, value: unknown, length: number): boolean {
  return typeof value === 'number' && value >= length && countsItems(name)
}

const isTotalHeader = (name: string, value: string) => /^\d+$/.test(value) && countsItems(name)

function countsItems(name: string): boolean {
  const terms = termsOf(name)
  return mentionsRole(terms, 'count') && !terms.some(({ word }) => word.startsWith('page'))
}
