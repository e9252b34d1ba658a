import { WrittenJson } from '../../wire/exchange.ts'
import { Problem } from '../../wire/problem.ts'
import type { Work } from '../../world/slices.ts'

/** The place of an entry in a list: its time, in milliseconds since 1970, and its identifier. */
interface Place {
  readonly at: number
  readonly id: string
}

/** The entries of a list, the oldest first. */
export interface ListOf<Item> {
  readonly items: Iterable<Item>
  readonly placeOf: (item: Item) => Place
  /** @default all entries */
  readonly matches?: (item: Item) => boolean
  readonly write: (item: Item) => unknown
}

/** Reads the most entries of a list. Throws a problem if it is out of range. */
export function limitOf(query: URLSearchParams): number {
  return wholeNumberIn(query, 'limit', 1, 10_000) ?? 1000
}

/** Reads a whole number; undefined if it is left out. Throws a problem if it is out of range. */
export function wholeNumberIn(
  query: URLSearchParams,
  name: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  const detail = `${name} is not a whole number ${range}. Send one, or leave ${name} out.`
  throw new Problem('invalid-parameter', detail)
}

/** Reads the place after which a list continues. Throws a problem if it is none. */
function beforeOf(query: URLSearchParams): Place | undefined {
  const text = query.get('before')
  if (text === null) return undefined
  const [, at = '', id = ''] = /^(\d{1,15})\.(.{1,1000})$/s.exec(text) ?? []
  if (id !== '') return { at: Number(at), id }
  throw new Problem('invalid-parameter', "before is not the 'next' of a list. Send it unchanged, or leave before out.")
}

/** Writes a page of a list, the latest entry first, with the number of all entries and the place of the next page. */
export function* pageOf<Item>(
  name: string,
  query: URLSearchParams,
  { items, placeOf, matches = () => true, write }: ListOf<Item>,
): Work<WrittenJson> {
  const [limit, before] = [limitOf(query), beforeOf(query)]
  const all: Item[] = []
  for (const item of items) {
    if (matches(item)) all.push(item)
    yield
  }
  const end = before ? endBefore(all, before, placeOf) : all.length
  const start = Math.max(0, end - limit)
  const texts: string[] = []
  for (const item of all.slice(start, end)) {
    texts.push(JSON.stringify(write(item)))
    yield
  }
  const place = start > 0 && placeOf(all[start] as Item)
  const next = place ? `${place.at}.${place.id}` : null
  const text = `{"${name}":[${texts.reverse().join(',')}],"total":${all.length},"next":${JSON.stringify(next)}}`
  return new WrittenJson(text)
}

/** Returns the number of entries before a place. The entry itself may have been dropped since. */
function endBefore<Item>(all: readonly Item[], before: Place, placeOf: (item: Item) => Place): number {
  const index = all.findLastIndex((item) => placeOf(item).id === before.id)
  return index >= 0 ? index : all.filter((item) => placeOf(item).at < before.at).length
}
