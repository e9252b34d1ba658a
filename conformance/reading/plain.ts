/**
 * Answers in a plain form: some deployments write lists and objects as flat names (`"run[0].id": "r1"`), as tables of columns and rows,
 * as names beside their values (`[{ "name": "rate", "value": 1 }]`), values below their types (`{ "$oid": "5f1c" }`) or beside their texts
 * for people, or states as names of objects (`{ "Approved": {} }`). The suite reads what these stand for.
 */
import { isObject } from '../../src/contract/json.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'
import { type Located, lastName, membersOf, oncePerAnswer, valueAt } from './locate.ts'
import { normalizeName } from './names.ts'
import { isEmpty, isInList, leavesOf } from './places.ts'
import { readTime, timeUnits } from './times.ts'
import { mentionsRole, termsOf } from './vocabulary.ts'

/** Answers as they were written, by their plain form. */
const written = new WeakMap<object, unknown>()

/** Returns an answer in its plain form; itself if it has that already. */
export const plainOf = oncePerAnswer((json): unknown => {
  const single = withoutDoubles(withResources(json))
  const made = plain(withPairs(single), 0)
  if (isObject(made)) written.set(made, json)
  return made
})

/** Returns the value at a locator of a profile, which may point into the answer as it was written. */
export function locatedAt(json: unknown, pointer: string): unknown {
  const value = valueAt(json, pointer)
  return value === undefined && isObject(json) ? valueAt(written.get(json), pointer) : value
}

/** Deeper parts of an answer stay as they are. */
const deepest = 12

function plain(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || depth > deepest) return value
  const typed = typedValue(value)
  if (typed !== undefined) return typed
  const list = Array.isArray(value) ? tagged(value) : undefined
  const own =
    (list && (namedValues(list) ?? mixedFigures(list) ?? measured(list) ?? cells(list) ?? unwrapped(list))) ??
    list ??
    value
  const whole = isObject(own) ? withRows(numbered(nested(own))) : own
  const all = Object.entries(whole)
  const inner = all.map(([name, one]) => [name, plain(one, depth + 1)] as const)
  if (inner.every(([, one], index) => one === all[index]?.[1])) return whole
  return Array.isArray(whole) ? inner.map(([, one]) => one) : Object.fromEntries(inner)
}

/**
 * Unwraps a value that is the only member of an object, below the name of its type, as in `{ "$oid": "5f1c" }` (MongoDB Extended JSON), or
 * a text as in `{ "text": "approval" }` (FHIR).
 */
function typedValue(value: object): unknown {
  const [[name = '', only] = [], other] = Object.entries(value)
  return !other && (name === 'text' || /^\$\p{L}/u.test(name)) && isLeaf(only) ? only : undefined
}

/** Returns JSON with something else in the place of some of its objects and lists. */
function replaced(value: unknown, replace: (one: object) => unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const other = replace(value)
  if (other !== undefined) return other
  const all = Object.entries(value).map(([name, one]) => [name, replaced(one, replace)] as const)
  return Array.isArray(value) ? all.map(([, one]) => one) : Object.fromEntries(all)
}

/** The most references that are replaced in one answer, one within the other. */
const [mostReferences, deepestReference] = [1000, 5]

/**
 * Returns an answer of JSON:API with the resources that it includes in the place of what refers to them, such as `{ "type": "steps", "id": "7"
 * }` (https://jsonapi.org/format/1.1/#document-compound-documents).
 */
function withResources(json: unknown): unknown {
  if (!isObject(json) || !Array.isArray(json.included)) return json
  const { included, ...document } = json
  const keyOf = (one: unknown) => (isObject(one) ? `${one.type} ${one.id}` : '')
  const resources = new Map(included.map((one) => [keyOf(one), one]))
  const used = new Set<unknown>()
  let left = mostReferences
  const resolve = (value: unknown, within: readonly unknown[]): unknown =>
    replaced(value, (one) => {
      const isReference = Object.keys(one).every((name) => name === 'type' || name === 'id' || name === 'meta')
      const resource = isReference ? resources.get(keyOf(one)) : undefined
      if (!resource || within.includes(resource) || within.length === deepestReference || left === 0) return undefined
      left -= 1
      used.add(resource)
      return resolve(resource, [...within, resource])
    })
  const whole = resolve(document, []) as object
  const others = included.filter((one) => !used.has(one))
  return others.length > 0 ? { ...whole, included: others } : whole
}

/**
 * Unwraps values that stand beside a text for people, as in `{ "value": "2", "display_value": "2 hours" }`: most such objects show the same
 * text twice. The shorter name is that of the value.
 */
function withoutDoubles(json: unknown): unknown {
  const namesOf = (value: object) => (Object.values(value).every(isLeaf) ? Object.keys(value).join('\n') : '')
  const found = new Map<string, boolean[]>()
  for (const { value } of membersOf(json)) {
    if (!isObject(value)) continue
    const [one, other, ...more] = Object.values(value)
    if (other === undefined || more.length > 0) continue
    found.set(namesOf(value), [...(found.get(namesOf(value)) ?? []), typeof one === 'string' && one === other])
  }
  const isDouble = (same: readonly boolean[]) => same.length > 3 && 2 * same.filter(Boolean).length > same.length
  const doubles = new Set([...found].flatMap(([names, same]) => (names !== '' && isDouble(same) ? [names] : [])))
  if (doubles.size === 0) return json
  return replaced(json, (one) => {
    const names = Object.keys(one)
    const shortest = names.toSorted((a, b) => a.length - b.length)[0] ?? ''
    return doubles.has(names.join('\n')) ? (one as Readonly<Record<string, unknown>>)[shortest] : undefined
  })
}

/** The members under which a list has the names and the values of an object. */
interface Pair {
  readonly label: string
  readonly value: string
}

/**
 * Returns the members under which an answer has the names and values of its objects, as in `"data": [{ "name": "id", "value": "r1" }, { "name":
 * "count", "value": 2, "prompt": "Runs" }]` (Collection+JSON): several lists have these members, and some have values of several types.
 */
function pairsIn(json: unknown): Pair[] {
  const found = membersOf(json).flatMap(({ value: list }) => {
    if (!Array.isArray(list) || list.length < 2 || !list.every(isObject)) return []
    const shared = Object.keys(list[0] ?? {}).filter((name) => list.every((item) => Object.hasOwn(item, name)))
    const [label = '', value = ''] = shared
    const object = shared.length === 2 ? objectOf(list, { label, value }) : undefined
    const types = new Set(Object.values(object ?? {}).flatMap((one) => (one === null ? [] : typeof one)))
    return object ? [{ label, value, isMixed: types.size > 1 }] : []
  })
  return found.filter((pair) => {
    const same = found.filter(({ label, value }) => label === pair.label && value === pair.value)
    return pair === same[0] && same.length > 1 && same.some(({ isMixed }) => isMixed)
  })
}

/** Returns the object that a list of different names and their values stands for. Beside these are only texts for people. */
function objectOf(list: readonly unknown[], { label, value }: Pair): object | undefined {
  const members = list.flatMap((item): [string, unknown][] => {
    if (!isObject(item) || !Object.hasOwn(item, value)) return []
    const { [label]: name, [value]: own, ...remarks } = item
    const isNamed = typeof name === 'string' && nameOfValue.test(name) && !isObject(own)
    return isNamed && Object.values(remarks).every((one) => typeof one === 'string') ? [[name, own]] : []
  })
  const isWhole = list.length > 0 && new Set(members.map(([name]) => name)).size === list.length
  return isWhole ? Object.fromEntries(members) : undefined
}

/** Returns an answer with objects in the place of lists of names and values. */
function withPairs(json: unknown): unknown {
  const pairs = pairsIn(json)
  return pairs.length === 0
    ? json
    : replaced(json, (one) => (Array.isArray(one) ? pairs.flatMap((pair) => objectOf(one, pair) ?? [])[0] : undefined))
}

/** Returns the cells of texts that are rows of a table, such as `legal;1;208`. */
function cells(list: readonly unknown[]): unknown[][] | undefined {
  const rows = list.map((row) => (typeof row === 'string' ? row.split(';') : []))
  const isTable = new Set(rows.map(({ length }) => length)).size === 1 && (rows[0]?.length ?? 0) > 2
  const numberIn = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text)
  return isTable ? rows.map((row) => row.map(numberIn)) : undefined
}

/**
 * Returns the items of a list with their states as texts, if these are the names of what belongs to them, as in `"state": { "Approved": { "by":
 * "lena" } }` beside `"state": "Pending"` (enums of Rust and Swift).
 */
function tagged(list: readonly unknown[]): readonly unknown[] {
  const first = list[0]
  const names = isObject(first) ? Object.keys(first) : []
  const tags = names.filter((name) => list.every((item) => isObject(item) && tagOf(item[name]) !== undefined))
  const own = tags.filter((name) => list.some((item) => isObject((item as Record<string, unknown>)[name])))
  if (own.length === 0) return list
  return (list as readonly Readonly<Record<string, unknown>>[]).map((item) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([name, value]): (readonly [string, unknown])[] => {
        const tag = own.includes(name) ? tagOf(value) : undefined
        if (tag === undefined) return [[name, value]]
        return isObject(value)
          ? [
              [name, tag],
              [`${name} ${tag}`, value[tag]],
            ]
          : [[name, tag]]
      }),
    ),
  )
}

/** Returns a text, or the only name in an object that holds an object under it. */
function tagOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const [[name = '', inner] = [], other] = Object.entries(isObject(value) ? value : {})
  return !other && /^[A-Z]\p{L}+$/u.test(name) && isObject(inner) ? name : undefined
}

/** Unwraps the items of a list if each has a single member, all under one name, that is an object: `[{ "node": {} }, { "node": {} }]`. */
function unwrapped(list: readonly unknown[]): readonly unknown[] {
  const wrapped = list.map((item) => (isObject(item) ? Object.entries(item) : []))
  const names = new Set(wrapped.map((members) => members.map(([name]) => name).join()))
  const inner = wrapped.map(([only]) => only?.[1])
  const isWrapped = names.size === 1 && wrapped[0]?.length === 1
  return isWrapped && inner.every((one) => isObject(one) && Object.keys(one).length > 1) ? inner : list
}

/** The longest flat name that is split, in parts. */
const mostParts = 12

/** Returns the parts of a flat name such as `run[0].step.id` or `run/0/step`, or undefined if it has one part alone. */
function partsOf(name: string): string[] | undefined {
  const parts = name.split(/[./[\]]+/).filter((part) => part !== '')
  // Names with `@` are annotations (OData).
  return parts.length < 2 || parts.length > mostParts || name.includes('@') ? undefined : parts
}

/** Returns the object that flat names stand for, if most names are flat and several begin alike: names of files or of people do not. */
function nested(value: object): object {
  const all = Object.entries(value)
  const flat = all.flatMap(([name, one]) => (isLeaf(one) ? [partsOf(name) ?? []] : [])).filter(([first]) => first)
  if (2 * flat.length <= all.length || 2 * new Set(flat.map(([first]) => first)).size > flat.length) return value
  const root = new Branch()
  for (const [name, one] of all) root.at(partsOf(name) ?? [name]).value = one
  const json = root.json() as object
  // An identifier before all names says what all of them are about.
  const [[first = '', inner] = [], other] = Object.entries(json)
  return !other && /\d/.test(first) && isObject(inner) ? inner : json
}

/** A name with a number within, such as `step1_name`. */
const numberedName = /^(\p{L}+)_?(\d{1,2})_?(\p{L}.*)$/u

/** Reads numbered names, such as `step1_id`, `step1_type`, `step2_id` and `step2_type`, as a list, if each number has the same names. */
function numbered(value: object): object {
  const all = Object.entries(value)
  const kinds = new Map<string, Branch>()
  for (const [name, one] of all) {
    const [, kind, number, own = ''] = numberedName.exec(name) ?? []
    if (kind === undefined || Object.hasOwn(value, kind)) continue
    const branch = kinds.get(kind) ?? new Branch()
    branch.at([String(Number(number) - 1), own]).value = one
    kinds.set(kind, branch)
  }
  const lists = [...kinds].map(([kind, branch]) => [kind, branch.json()] as const).filter(([, list]) => isTable(list))
  const kept = all.filter(([name]) => !lists.some(([kind]) => numberedName.exec(name)?.[1] === kind))
  return lists.length === 0 ? value : Object.fromEntries([...kept, ...lists])
}

/** Returns true for a list of several objects that all have the same members, at least two. */
function isTable(list: unknown): boolean {
  const rows = Array.isArray(list) ? list.map((row) => Object.keys(row)) : []
  return rows.length > 1 && new Set(rows.map((names) => names.join())).size === 1 && (rows[0]?.length ?? 0) > 1
}

const isLeaf = (value: unknown) => value === null || typeof value !== 'object' || Object.keys(value).length === 0

/** A member of an object that flat names stand for. */
class Branch {
  readonly #members = new Map<string, Branch>()
  value: unknown

  at([name, ...rest]: readonly string[]): Branch {
    if (name === undefined) return this
    const member = this.#members.get(name) ?? new Branch()
    this.#members.set(name, member)
    return member.at(rest)
  }

  /** Names that count from 0 are those of a list. What a name has beside its members, as in `run` and `run.id`, is called `value`. */
  json(): unknown {
    if (this.#members.size === 0) return this.value
    const members = [...this.#members].map(([name, branch]) => [name, branch.json()] as const)
    const counted = members.filter(([name]) => /^\d{1,4}$/.test(name)).toSorted(([a], [b]) => Number(a) - Number(b))
    const isList = counted.length > 0 && counted.every(([name], index) => Number(name) === index)
    const others = isList ? members.filter((one) => !counted.includes(one)) : members
    const own = [...others, ...(this.value === undefined ? [] : [['value', this.value] as const])]
    const list = counted.map(([, one]) => one)
    // The number of items stands beside them: `run.size`.
    if (isList && own.every(([, one]) => String(one) === String(list.length))) return list
    return Object.fromEntries(isList ? [...own, ['items', list] as const] : own)
  }
}

/**
 * Returns an object with its rows as objects, if one member names the columns and another one has a list of rows; only that list if all else
 * is their number. Columns, rows and cells may be wrapped, as in `{ "schema": { "fields": [] }, "rows": [{ "f": [{ "v": 1 }] }] }`.
 */
function withRows(value: object): object {
  const members = Object.entries(value)
  for (const [names, header] of members) {
    const columns = columnsIn(onlyIn(header))
    if (!columns) continue
    const rowsIn = (one: unknown) => (Array.isArray(one) ? one.map(onlyIn) : [])
    const isRow = (row: unknown) => Array.isArray(row) && row.length === columns.length
    const found = members.find(([name, one]) => name !== names && rowsIn(one).length > 0 && rowsIn(one).every(isRow))
    if (!found) continue
    const [name, list] = found
    const rows = rowsIn(list) as unknown[][]
    const objects = rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], onlyIn(cell)])))
    const isAlone = members.every(([one, count]) => [names, name].includes(one) || String(count) === `${rows.length}`)
    return isAlone ? objects : { ...value, [name]: objects }
  }
  return value
}

/** Returns the only member of an object; anything else as it is. */
function onlyIn(value: unknown): unknown {
  const inner = isObject(value) ? Object.values(value) : []
  return inner.length === 1 ? inner[0] : value
}

/** Returns the names of columns: different texts that begin with a letter, by themselves or at one place of objects. */
function columnsIn(header: unknown): string[] | undefined {
  if (!Array.isArray(header) || header.length < 2) return undefined
  const [first] = header
  const texts = isObject(first) ? Object.keys(first).map((name) => header.map((one) => one?.[name])) : [header]
  const isName = (text: unknown) => typeof text === 'string' && /^[\p{L}_]/u.test(text)
  return texts.find((all) => all.every(isName) && new Set(all).size === all.length)
}

/** The name of one value among others. Addresses and sentences are none. */
const nameOfValue = /^\p{L}([\p{L}\p{Nd}_./:-]{0,60}|[\p{L} ]{0,40})$/u

/** The names of the contract's fields. */
const contractNames = new Set(Object.values(schemas).flatMap((schema) => namesIn(schema).map(normalizeName)))

function namesIn(schema: object): string[] {
  return 'properties' in schema && isObject(schema.properties) ? Object.keys(schema.properties) : []
}

/** The most members of the items of a list that stands for an object. */
const mostColumns = 30

/** A unit: `%`, `pcs`, or `1` for a number of things. Those of times are known. */
const unitText = /^(\D{1,4}|1)$/

/**
 * Returns the object that a list of names and values stands for: numbers beside texts, `{ "name": "rate", "value": 100, "unit": "%" }`, or
 * names of the contract. Items of one kind, such as steps with a figure, are no such list.
 */
function namedValues(list: readonly unknown[]): object | undefined {
  if (list.length < 2 || !list.every(isObject)) return undefined
  const all = [...new Set(list.flatMap((item) => Object.keys(item)))]
  if (all.length > mostColumns) return undefined
  const texts = (name: string) => list.flatMap((item) => (typeof item[name] === 'string' ? item[name] : []))
  const label = all.find((name) => {
    const distinct = new Set(texts(name))
    return distinct.size === list.length && [...distinct].every((text) => nameOfValue.test(text))
  })
  const valuesOf = (name: string) => new Set(list.map((item) => item[name])).size
  const others = all.filter((name) => name !== label).toSorted((a, b) => valuesOf(b) - valuesOf(a))
  const isSingle = list.every((item) => Object.keys(item).length === 2)
  if (label === undefined || !list.every((item) => others.every((name) => isLeaf(item[name])))) return undefined
  const isNumber = (text: unknown) => typeof text !== 'string' || /^[\d.,]+$/.test(text)
  const isMixed = (name: string) => {
    const filled = list.map((item) => item[name]).filter((value) => !isEmpty(value))
    return (
      new Set(filled.map((value) => (isNumber(value) && typeof value === 'string' ? 'number' : typeof value))).size > 1
    )
  }
  const unit = others.find((name) => {
    const units = texts(name)
    return (
      units.length === list.length &&
      new Set(units).size < list.length &&
      2 * units.filter(isNumber).length < units.length
    )
  })
  // Figures of several kinds may have titles for people.
  const areOfKinds = unit !== undefined && valuesOf(unit) > 1
  const isTitle = (name: string) =>
    areOfKinds && new Set(texts(name)).size === list.length && !texts(name).some(isNumber)
  const value = isSingle ? undefined : others.find((name) => name !== unit && !isTitle(name))
  // Rows may have a further text, such as the name of a statistic, and something that many of them share, such as their type.
  const isRemark = (name: string) =>
    isTitle(name) ||
    (texts(name).length < list.length &&
      list.every(({ [name]: one }) => one === undefined || typeof one === 'string')) ||
    4 * valuesOf(name) <= list.length + 4
  const hasUnits =
    unit !== undefined &&
    value !== undefined &&
    others.every((name) => name === unit || name === value || isRemark(name))
  const isOfContract = texts(label).filter((name) => contractNames.has(normalizeName(name))).length > 1
  if (isSingle ? others.length === 1 && !others.some(isMixed) && !isOfContract : !hasUnits) return undefined
  const hasTypes = value !== undefined && isMixed(value)
  const areUnits = (all: readonly string[]) => all.every((text) => unitText.test(text)) || all.some(isTimeUnit)
  if (hasUnits && !hasTypes && !(areUnits(texts(unit)) && list.every((item) => isNumber(item[value])))) return undefined
  return Object.fromEntries(
    list.map(({ [label]: name, ...rest }) => {
      const [only] = Object.values(rest)
      const figure = rest[value ?? '']
      return [name, isSingle ? only : hasTypes || !isMeasure(rest[unit ?? '']) ? figure : rest]
    }),
  )
}

const isTimeUnit = (text: string) => timeUnits.has(text.toLowerCase())

/** Returns true for the unit of a time or a rate. Other units are those of counts. */
const isMeasure = (unit: unknown) =>
  typeof unit === 'string' && (isTimeUnit(unit) || unit === '%' || mentionsRole(termsOf(unit), 'rate'))

/**
 * Returns the object that a list of figures stands for, each with a name and one value of its own kind: a number, a text, or nothing yet, as in
 * `[{ "measure": { "code": "RATE" }, "quantity": { "value": 1 } }, { "measure": { "code": "SLOWEST" }, "text": "legal" }]`.
 */
function mixedFigures(list: readonly unknown[]): object | undefined {
  if (list.length < 3 || !list.every(isObject)) return undefined
  // Among the figures may be lists, such as those of the steps.
  const rows = list.map((row) => new Map(outside(row).map((leaf) => [leaf.pointer, leaf.value] as const)))
  const pointers = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const isEvent = ({ value }: Located) => readTime(value) !== undefined || String(value).includes('@')
  if (pointers.length > mostColumns || list.flatMap((row) => leavesOf(row)).some(isEvent)) return undefined
  const isText = (pointer: string) => rows.every((row) => typeof row.get(pointer) === 'string')
  const isDistinct = (pointer: string) => new Set(rows.map((row) => row.get(pointer))).size === rows.length
  const labels = pointers.filter((one) => isText(one) && isDistinct(one))
  const label = labels.find((one) => rows.every((row) => nameOfValue.test(String(row.get(one)))))
  const others = pointers.filter((one) => !labels.includes(one))
  const kindsOf = (row: (typeof rows)[number]) =>
    others.flatMap((one) => ((row.get(one) ?? null) === null ? [] : `${one} ${typeof row.get(one)}`)).join()
  const counts = rows.map((row) => others.filter((one) => typeof row.get(one) === 'number').length)
  const kinds = new Set(rows.map(kindsOf).filter((kind) => kind !== ''))
  // Before the first execution, all may be null.
  const areMixed = kinds.size > 1 && Math.max(...counts) === 1
  if (label === undefined || others.length === 0 || !(areMixed || kinds.size === 0)) return undefined
  const [, head = ''] = label.split('/')
  // A unit that is none of times and rates is that of a count.
  const unit = others.find((one) => rows.some((row) => isMeasure(row.get(one))))?.slice(1)
  return Object.fromEntries(
    list.map(({ [head]: _, ...rest }, index) => {
      const isCount = typeof rest[unit ?? ''] === 'string' && !isMeasure(rest[unit ?? ''])
      const count = Object.values(rest).find((value) => value === null || typeof value === 'number')
      return [String(rows[index]?.get(label)), isCount && count !== undefined ? count : rest] as const
    }),
  )
}

/** Returns the scalars and the lists of an object, without what is in lists. */
const outside = (row: object) =>
  membersOf(row).filter(({ pointer, value }) => (Array.isArray(value) || isLeaf(value)) && !isInList(pointer))

/** Numbers from here on are times in seconds since 1970. */
const firstTime = 1_000_000_000

const isTime = ({ value }: Located) => Number(value) >= firstTime || readTime(value) !== undefined
const isFigure = ({ value }: Located) =>
  value === null || typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value))

/**
 * Returns the object that a list of measurements stands for, each with a name, a figure and labels, as time series have them:
 * `[{ "name": "runs", "value": 3 }, { "name": "mean", "step": "legal", "value": 5 }]` is `{ "runs": 3, "step": { "legal": { "mean": 5 } } }`.
 */
function measured(list: readonly unknown[]): object | undefined {
  if (list.length < 3 || !list.every(isObject)) return undefined
  const rows = list.map((row) => membersOf(row).filter(({ value }) => value === null || typeof value !== 'object'))
  // All are of one time, and none is of a person.
  const times = new Set(
    rows.map((row) =>
      row
        .filter(isTime)
        .map(({ value }) => value)
        .join(),
    ),
  )
  if (times.size > 1 || rows.flat().some(({ value }) => String(value).includes('@'))) return undefined
  const shown = rows.map((row) => new Map(row.flatMap((leaf) => (isTime(leaf) ? [] : [[leaf.pointer, leaf] as const]))))
  const valuesAt = (pointer: string) => shown.flatMap((row) => row.get(pointer) ?? [])
  const pointers = [...new Set(shown.flatMap((row) => [...row.keys()]))]
  if (pointers.length > mostColumns) return undefined
  const isWhole = (pointer: string) => valuesAt(pointer).length === list.length
  // Among the figures may be the name of a step.
  const share = (pointer: string) => valuesAt(pointer).filter(isFigure).length / list.length
  const most = Math.max(...pointers.filter(isWhole).map(share))
  const [figure, ...others] = pointers.filter((one) => isWhole(one) && share(one) === most && most > 0.5)
  const textAt = (row: (typeof shown)[number], pointer: string) => row.get(pointer)?.value
  const isText = (pointer: string) => valuesAt(pointer).every(({ value }) => typeof value === 'string')
  const texts = pointers.filter(
    (one) => one !== figure && new Set(valuesAt(one).map(({ value }) => value)).size > Number(isWhole(one)),
  )
  if (figure === undefined || others.length > 0 || !texts.every(isText)) return undefined
  const labels = texts.filter((one) => !isWhole(one))
  const isTold = (by: readonly string[]) =>
    new Set(shown.map((row) => JSON.stringify(by.map((one) => textAt(row, one))))).size === list.length
  // Neighbours have the same label and other names.
  const changes = (pointer: string) =>
    valuesAt(pointer).filter(({ value }, at, all) => value !== all[at - 1]?.value).length
  const [name, ...more] = texts.filter(isWhole).toSorted((a, b) => changes(b) - changes(a))
  const by = name && [labels, ...more.map((one) => [...labels, one])].find((all) => isTold([name, ...all]))
  // Where one text tells all apart, each is a thing of its own.
  if (!name || !by || texts.some((one) => isTold([one]))) return undefined
  const root = new Branch()
  for (const row of shown) {
    const way = by.flatMap((one) => (row.has(one) ? [lastName(one), String(textAt(row, one))] : []))
    root.at([...way, String(textAt(row, name))]).value = textAt(row, figure)
  }
  return root.json() as object
}
