/** Finds the facts that members of objects are named by: the items of a list, such as the steps, or a single value. */
import { escapePointer, isObject, valueAt } from '../../src/contract/json.ts'
import { caseOf, type Form, type Json } from '../../src/profile/template.ts'
import { bindToFact, waysToWrite, writeAs } from './bind.ts'
import { isKeyword } from './item-kinds.ts'
import { itemsOf, type ListChoice, listChoices, listsIn } from './list-choices.ts'
import { type AnswerPlace, type AnswerSample, factsOf, isDistinctive } from './sample.ts'
import { fieldSpellings, indexOfWord } from './text.ts'

/** The facts that the members of an object are named by. */
export interface Naming {
  /** A list, or a single value as a list of one. */
  readonly choice: ListChoice
  readonly key: Key
  readonly members: (sample: AnswerSample) => readonly NamedMember[]
}

/** What names are made from: the part of an item, in a form. */
type Key = Readonly<{ $: string; as?: Form }>

/** A member's value, with the item that names it, and the item's index in its list. */
interface NamedMember {
  readonly name: string
  readonly value: unknown
  readonly item: unknown
  readonly index: number
}

type Members = Readonly<Record<string, unknown>>

const namesOf = ({ value }: AnswerSample) => Object.keys(value as Members)

/** Returns the namings that explain the members of all samples: those of lists, or else that of a single value. */
export function namingsOf(samples: readonly AnswerSample[], place: AnswerPlace): Naming[] {
  const sizeOf = (sample: AnswerSample) => namesOf(sample).length
  const most = Math.max(...samples.map(sizeOf))
  if (most === 0) return []
  const ofLists = (isLong?: (length: number, size: number) => boolean) =>
    listChoices(samples, place, sizeOf, isLong).flatMap((choice) => {
      const [first] = samples.flatMap((sample) => itemsOf(sample, choice))
      const keys = keysOf(first).filter((key) =>
        samples.every((sample) => areNames(namesOf(sample), itemsOf(sample, choice), key)),
      )
      return keys.map((key): Naming => ({ choice, key, members: (sample) => membersOf(sample, choice, key) }))
    })
  const exact = ofLists()
  if (exact.length > 0) return exact
  const single = most === 1 ? ofValue(samples, place) : undefined
  if (single) return [single]
  // Of several items with one name, only one is shown.
  return haveOtherNames(samples) ? ofLists((length, size) => length >= size) : []
}

/** Returns true if the members of the samples have different names. */
function haveOtherNames(samples: readonly AnswerSample[]): boolean {
  return new Set(samples.map((sample) => namesOf(sample).join('\n'))).size > 1
}

/** Returns what members may be named by in items such as one. */
function keysOf(item: unknown): Key[] {
  if (!isObject(item)) return [{ $: '0' }]
  return Object.keys(item).flatMap((name) => {
    const $ = `0/${escapePointer(name)}`
    return name === 'pointer' ? fieldSpellings.map((as) => ({ $, as })) : [{ $ }]
  })
}

function nameOf(item: unknown, { $, as }: Key): string {
  const value = valueAt(item, $.slice(1))
  return caseOf(as === undefined ? value : writeAs(value, as))
}

/** Returns true if items have these names and no others. */
function areNames(names: readonly string[], items: readonly unknown[], key: Key): boolean {
  const known = new Set(items.map((item) => nameOf(item, key)))
  return known.size === names.length && names.every((name) => known.has(name))
}

function membersOf(sample: AnswerSample, choice: ListChoice, key: Key): NamedMember[] {
  const value = sample.value as Members
  const made = itemsOf(sample, choice).map((item, index) => ({ name: nameOf(item, key), item, index }))
  // A template writes the last one, in the place of the first.
  const last = new Map(made.map((one) => [one.name, one]))
  return [...last.values()].map((one) => ({ ...one, value: value[one.name] }))
}

/** Returns the single value that names the only members, if their names differ or the value is no common word. */
function ofValue(samples: readonly AnswerSample[], place: AnswerPlace): Naming | undefined {
  const nameIn = (sample: AnswerSample) => namesOf(sample)[0]
  const named = samples.flatMap((sample) => {
    const name = nameIn(sample)
    return name === undefined ? [] : [{ ...sample, value: name }]
  })
  const empty = samples.filter((sample) => nameIn(sample) === undefined)
  const isSame = named.every(({ value }) => value === named[0]?.value)
  const bound = bindToFact(named, place, (fact) => {
    const isUnset = (sample: AnswerSample) => (factsOf(sample).get(fact.pointer)?.value ?? null) === null
    return (!isSame || isDistinctive(fact)) && empty.every(isUnset)
  }) as (Key & { readonly or?: unknown }) | undefined
  if (bound === undefined || 'or' in bound) return undefined
  const { $: pointer, ...form } = bound
  const choice = { pointer, name: '', value: undefined }
  return {
    choice,
    key: { $: '0', ...form },
    members: (sample) => {
      const [only] = Object.entries(sample.value as Members)
      const [item] = itemsOf(sample, choice)
      return only ? [{ name: only[0], value: only[1], item, index: 0 }] : []
    },
  }
}

/** Member names that consist of an item's text and constant text, such as `{id}.Pending` and `{id}.Estimate`. */
export interface ComposedNaming {
  readonly choice: ListChoice
  /** Returns the template of a name. `around` is the constant text with a gap for the item's text, such as `*.Pending`. */
  readonly keyOf: (around: string) => Json
  /** Returns for each item an object of its members, named by the constant text. */
  readonly rows: (sample: AnswerSample) => readonly NamedMember[]
  /** Returns the members whose names contain no item's text. */
  readonly others: (sample: AnswerSample) => Members
}

/** Returns the lists of whose items all samples have members with composed names. */
export function composedNamings(samples: readonly AnswerSample[], place: AnswerPlace): ComposedNaming[] {
  if (!haveOtherNames(samples) || samples.some((sample) => namesOf(sample).length > mostNames)) return []
  return listsIn(samples).flatMap(({ pointer }) => {
    const all = samples.map((sample) => itemsOf(sample, { pointer }))
    return keysOf(all.flat()[0]).flatMap((key) => {
      if (all.flat().every((item) => isKeyword(nameOf(item, key)))) return []
      const composed = samples.map((sample, index) => composedNames(namesOf(sample), all[index] ?? [], key))
      if (composed.every(({ size }) => size === 0)) return []
      const sizes = new Map(samples.map((sample, index) => [sample, itemsIn(composed[index]).length]))
      return listChoices(samples, place, (sample) => sizes.get(sample) ?? 0)
        .filter((choice) => choice.pointer === pointer)
        .map((choice) => composedBy(choice, key))
        .filter(({ rows }) =>
          samples.every((sample) => rows(sample).every(({ value }) => namesOf({ ...sample, value }).length > 0)),
        )
    })
  })
}

/** Marks the place of the item's text in a name. */
const gap = '*'

/** Finds for each name the item whose text it contains, and the name with a gap in place of that text. */
function composedNames(
  names: readonly string[],
  items: readonly unknown[],
  key: Key,
): Map<string, { item: unknown; around: string }> {
  const longestFirst = items
    .map((item) => ({ item, text: nameOf(item, key) }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => b.text.length - a.text.length)
  return new Map(
    names.flatMap((name) => {
      const found = name.includes(gap) ? undefined : longestFirst.find(({ text }) => indexOfWord(name, text) >= 0)
      if (!found) return []
      const at = indexOfWord(name, found.text)
      const around = name.slice(0, at) + gap + name.slice(at + found.text.length)
      return [[name, { item: found.item, around }] as const]
    }),
  )
}

const itemsIn = (composed: ReturnType<typeof composedNames> = new Map()) => [
  ...new Set([...composed.values()].map(({ item }) => item)),
]

function composedBy(choice: ListChoice, key: Key): ComposedNaming {
  const entriesOf = (sample: AnswerSample) => {
    const composed = composedNames(namesOf(sample), itemsOf(sample, { pointer: choice.pointer }), key)
    return Object.entries(sample.value as Members).map(([name, value]) => ({ name, value, ...composed.get(name) }))
  }
  return {
    choice,
    keyOf: (around) => {
      const [before = '', after = ''] = around.split(gap)
      if (before === '' && after === '') return key
      return { $text: [before, key, after].filter((part) => part !== '') }
    },
    rows: (sample) => {
      const entries = entriesOf(sample)
      return itemsOf(sample, choice).map((item, index) => {
        const own = entries.flatMap((one) =>
          one.item === item && one.around !== undefined ? [[one.around, one.value]] : [],
        )
        return { name: nameOf(item, key), item, index, value: Object.fromEntries(own) }
      })
    },
    others: (sample) =>
      Object.fromEntries(
        entriesOf(sample).flatMap(({ name, value, around }) => (around === undefined ? [[name, value]] : [])),
      ),
  }
}

/** The most members that are compared with the items of lists. */
const mostNames = 100

/**
 * Returns those samples whose members have names that one naming explains, if there are others as well. Returns undefined if no
 * naming explains several names.
 */
export function samplesNamed(samples: readonly AnswerSample[]): ReadonlySet<AnswerSample> | undefined {
  if (!haveOtherNames(samples)) return undefined
  const explained = new Map<string, Set<AnswerSample>>()
  for (const sample of samples) {
    for (const naming of waysToName(sample)) {
      explained.set(naming, (explained.get(naming) ?? new Set<AnswerSample>()).add(sample))
    }
  }
  const several = [...explained.values()].filter((found) => haveOtherNames([...found]))
  const [most] = several.toSorted((a, b) => b.size - a.size)
  return most && most.size < samples.length ? most : undefined
}

/** Returns what explains the names of a single sample's members, each as a text. */
function waysToName(sample: AnswerSample): string[] {
  const names = namesOf(sample)
  if (names.length === 0 || names.length > mostNames) return []
  const [only] = names
  const single = names.length === 1 ? waysToWrite({ ...sample, value: only }) : []
  const lists = [...factsOf(sample).values()].flatMap(({ pointer, value }) => {
    const items = Array.isArray(value) ? value : []
    const keys = keysOf(items[0]).filter((key) => items.length >= names.length && areNames(names, items, key))
    return keys.map(({ $, as = '' }) => `${pointer} ${$} ${as}`)
  })
  return [...single.map(({ pointer, as = '' }) => `${pointer} ${as}`), ...lists]
}
