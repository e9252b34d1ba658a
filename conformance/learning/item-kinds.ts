/** Tells the kinds of values, and those of the items of a list. */
import { escapePointer, valueAt } from '../../src/contract/json.ts'
import { type AnswerSample, factsOf } from './sample.ts'

type Kind = 'null' | 'list' | 'object' | 'scalar'

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' ? 'object' : 'scalar'
}

/** Matches values that are one of a few by nature: a keyword, a rule, a small pointer, but no name, number or identifier. */
export const isKeyword = (value: string) =>
  /^[A-Za-z_/-]{0,40}$|^[45]\d\d$|^(\/([A-Za-z_]{1,40}|\d{1,2}|\*)){1,6}$/.test(value)

/** The most kinds of items that are told apart, and the most ways to tell them that are tried: lists within lists would take too long. */
const [mostKinds, mostDivisions] = [12, 2]

/** The items of one kind of each sample. */
export type OfKind = readonly (AnswerSample & { readonly value: readonly unknown[] })[]

/** Returns the ways to divide the lists of samples by the kinds of their items, if these follow each other in the same order in all. */
export function divisionsOf(samples: readonly AnswerSample[], lists: readonly (readonly unknown[])[]): OfKind[][] {
  const divisions = new Map<string, OfKind[]>()
  for (const kindOfItem of kindTellers(samples, lists)) {
    if (divisions.size === mostDivisions) break
    const rows = samples.map((sample, index) => (lists[index] ?? []).map((item) => kindOfItem(item, sample)))
    const kinds = kindsInOrder(rows)
    // A single item of each kind is a list of one length, which is made item by item.
    if (kinds.length < 2 || rows.every((row) => row.length === kinds.length)) continue
    const ofKind = (kind: ReadonlySet<string>) =>
      samples.map((sample, at) => ({
        ...sample,
        value: lists[at]?.filter((_, index) => kind.has(rows[at]?.[index] ?? '')) ?? [],
      }))
    const placed = rows.map((row) => row.map((one) => kinds.findIndex((kind) => kind.has(one))))
    divisions.set(JSON.stringify(placed), kinds.map(ofKind))
  }
  return [...divisions.values()]
}

/** Returns the kind of an item in one way, or an empty text if it has none. */
type KindTeller = (item: unknown, sample: AnswerSample) => string

/**
 * Returns the ways to tell kinds of items: by a member that is one of a few words, such as `type`, by a sentence that is the same
 * but for names and numbers in it, or by their members' names.
 */
function kindTellers(samples: readonly AnswerSample[], lists: readonly (readonly unknown[])[]): KindTeller[] {
  const items = lists.flatMap((list, index) => list.map((item) => ({ item, sample: samples[index] })))
  const [first] = items
  if (items.length < 2 || !items.every(({ item }) => kindOf(item) === kindOf(first?.item))) return []
  const paths = kindOf(first?.item) === 'object' ? textPaths(first?.item) : ['']
  const tellers: KindTeller[] = [
    ...paths.map((path) => (item: unknown) => {
      const value = valueAt(item, path)
      return typeof value === 'string' && isKeyword(value) ? value : ''
    }),
    ...paths.map((path) => (item: unknown, sample: AnswerSample) => sentence(valueAt(item, path), sample)),
    (item) => (kindOf(item) === 'object' ? Object.keys(item as object).join() : ''),
  ]
  return tellers.filter((teller) => {
    const kinds = new Set(items.map(({ item, sample }) => (sample ? teller(item, sample) : '')))
    return kinds.size > 1 && kinds.size <= mostKinds && !kinds.has('')
  })
}

/** Returns the pointers to the texts of an object and of the objects in it, and to the first texts of its lists. */
function textPaths(item: unknown): string[] {
  return Object.entries(item as object).flatMap(([name, value]) => {
    const path = `/${escapePointer(name)}`
    if (typeof value === 'string') return [path]
    if (Array.isArray(value)) return typeof value[0] === 'string' ? [`${path}/0`] : []
    if (kindOf(value) !== 'object') return []
    const inner = Object.entries(value as object).filter(([, one]) => typeof one === 'string')
    return inner.map(([inside]) => `${path}/${escapePointer(inside)}`)
  })
}

/** Returns a sentence without the names of items of the facts' lists, and without numbers. */
function sentence(text: unknown, sample: AnswerSample): string {
  if (typeof text !== 'string' || !text.includes(' ')) return ''
  const names = [...factsOf(sample).values()].flatMap(({ value }) =>
    Array.isArray(value) ? value.flatMap((item) => Object.values((item ?? {}) as object)) : [],
  )
  const known = names.filter(
    (name): name is string => typeof name === 'string' && name.length > 3 && text.includes(name),
  )
  const rest = known.toSorted((a, b) => b.length - a.length).reduce((left, name) => left.replaceAll(name, '*'), text)
  return rest.replaceAll(/\d+([.,]\d+)*/g, '*')
}

/** Returns the kinds in the order in which all lists have them. Those that come in several orders, as in a log, are one. */
function kindsInOrder(lists: readonly (readonly string[])[]): ReadonlySet<string>[] {
  const kinds = [...new Set(lists.flat())]
  const after = new Map(kinds.map((kind) => [kind, new Set([kind])] as const))
  for (const list of lists) {
    for (const kind of new Set(list)) {
      for (const later of list.slice(list.indexOf(kind) + 1)) after.get(kind)?.add(later)
    }
  }
  // Kinds follow each other by way of others, too.
  for (const by of kinds) {
    for (const kind of kinds) {
      if (after.get(kind)?.has(by)) for (const later of after.get(by) ?? []) after.get(kind)?.add(later)
    }
  }
  const isTogether = (one: string, other: string) => after.get(one)?.has(other) && after.get(other)?.has(one)
  const firsts = kinds.filter((kind) => kinds.find((one) => isTogether(one, kind)) === kind)
  const laterThan = (kind: string) => after.get(kind)?.size ?? 0
  return firsts
    .toSorted((a, b) => laterThan(b) - laterThan(a))
    .map((first) => new Set(kinds.filter((one) => isTogether(one, first))))
}
