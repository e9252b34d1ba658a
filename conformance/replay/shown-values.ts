/**
 * Compares what two services show in the same calls: numbers of items, ranges of figures, whether values are those that were sent, and
 * values at places at which they agree elsewhere.
 */

import { callAt } from '../../src/contract/call-at.ts'
import { starred } from '../../src/profile/tolerance.ts'
import { membersOf, normalizeName, parentOf } from '../reading/locate.ts'
import { leavesOf } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { firstOf } from '../reads/needs-text.ts'
import { parseJson } from '../wire/exchange.ts'
import { truncate } from '../wire/inert.ts'
import type { ExchangeRecord } from '../wire/record.ts'
import { groupsOf, mostPlaces } from './rows.ts'
import { formEnd, formOf, PlaceTexts, prefixEnd, rangeIn, rangeOf } from './value-forms.ts'

/** The answer to a call in one run of a side. */
export interface ShownAnswer {
  readonly record: ExchangeRecord
  /** What the run sent in all its calls. */
  readonly sent: SentValues
  /**
   * The places whose values depend neither on time nor on pace. At all others, only numbers of items, ranges, forms and what was sent
   * are compared. Undefined if these are all places.
   */
  readonly still: ReadonlySet<string> | undefined
}

/** What a run sent. */
interface SentValues {
  /** The names and addresses of all approvers. */
  readonly approvers: ReadonlySet<string>
  /** Each value with its name, and each two values of which one is in an object around the other. */
  readonly values: ReadonlySet<string>
}

/** Two sides differ at some places of one object. */
interface ShownDifference {
  /** The call at which it shows first. */
  readonly call: string
  /** The places, with `*` for each index. */
  readonly places: readonly string[]
  readonly text: string
}

/**
 * Returns the differences. A place counts if no side differs from itself there in any call. Its values count if the
 * sides agree there in another call: then they use the same words, and neither time nor chance decides what is shown. Numbers of items,
 * ranges of figures and values that were sent need no words. A single run of a side does not show its noise, so it has no differences.
 */
export function shownDifferences(
  calls: Iterable<readonly [name: string, a: readonly ShownAnswer[], b: readonly ShownAnswer[]]>,
): ShownDifference[] {
  const differing = new Map<string, { call: string; place: string; how: string }>()
  const [agreed, restless] = [new Set<string>(), new Set<string>()]
  for (const [call, a, b] of calls) {
    const all = [...a, ...b]
    const { method, url } = all[0]?.record ?? { method: '', url: '' }
    const operation = callAt(method, url)
    if (operation === undefined || a.length < 2 || b.length < 2) continue
    // The suite numbers what it sends, so after an extra call it sends other values to one side.
    if (new Set(all.map(({ record }) => requestOf(record))).size > 1) continue
    // What only one side shows is a difference of shape.
    const shared = new Set(inAll(all.map(({ record }) => membersOf(jsonIn(record)).map(placeOf))))
    const shown = all.map((answer) => valuesIn(answer, shared))
    for (const place of inAll(shown.map((values) => [...values.keys()]))) {
      const texts = shown.map((values) => values.get(place) ?? '')
      const [one, other] = [new Set(texts.slice(0, a.length)), new Set(texts.slice(a.length))]
      const kind = `${operation} ${place}`
      const [left = '', right = ''] = [...one, ...other]
      if (one.size > 1 || other.size > 1 || (left + right).includes(newPart)) restless.add(kind)
      else if (left === right) agreed.add(kind)
      else if (!differing.has(kind)) {
        const how = `${truncate(left, 120)} in the answer of A, and ${truncate(right, 120)} in that of B.`
        differing.set(kind, { call, place: place.replace(/ \(\w+\)$/, ''), how })
      }
    }
  }
  const all = [...differing].flatMap(([kind, difference]) =>
    (agreed.has(kind) || needsNoWords(kind)) && !restless.has(kind) ? [difference] : [],
  )
  // What a value is says more than that it was not sent, and comes last.
  const rows = groupsOf(all, ({ call, place }) => `${call} ${place}`).flatMap((same) => same.slice(-1))
  // The values of one object probably have one cause.
  return groupsOf(rows, ({ call, place }) => `${call}\n${parentOf(place)}`).flatMap((same) => {
    const sentences = groupsOf(same, ({ how }) => how).map((alike) => {
      const places = alike.map(({ place }) => place)
      return `${firstOf(places, mostPlaces)} ${alike.length > 1 ? 'are' : 'is'} ${alike[0]?.how}`
    })
    const places = same.map(({ place }) => place)
    return same.slice(0, 1).map(({ call }) => ({ call, places, text: sentences.slice(0, mostPlaces).join(' ') }))
  })
}

/** Returns what all of some lists have. */
function inAll([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const sets = others.map((other) => new Set(other))
  return first.filter((one) => sets.every((other) => other.has(one)))
}

const placeOf = ({ pointer }: { readonly pointer: string }) => starred(pointer)

const jsonOf = (body = '') => parseJson(new TextEncoder().encode(body))

/** Parses the body of an answer. */
export const jsonIn = ({ responseBody }: ExchangeRecord): unknown => jsonOf(responseBody)

/** The end of a place that stands for the numbers of items in its lists. */
const itemsOf = ' (items)'

/** The end of a place that stands for the answer to whether its values were sent under the same name. */
const echoOf = ' (echo)'

/** The end of a place that stands for the answer to whether its values were sent together with those around them. */
const besideOf = ' (beside)'

/** Returns true for places that are compared even if the sides agree there nowhere. */
const needsNoWords = (kind: string) =>
  [itemsOf, rangeOf, echoOf, besideOf, formEnd, prefixEnd].some((end) => kind.endsWith(end))

/** Stands for what is made anew. A place of identifiers is not compared, since some of them look like words. */
const newPart = '#'

/** Replaces the text that is different in each run. */
export const withoutRunId = (text: string, runId: string) => (runId === '' ? text : text.replaceAll(runId, newPart))

/** Removes what is made anew in each run: identifiers, numbers and times. */
export function withoutNewParts(text: string): string {
  return text
    .replaceAll(/https?:\/\/[^/\s"]+/g, '<origin>')
    .replaceAll(/[\w.:+-]+/g, (word) => (/\d/.test(word) && !/^\d{3}$/.test(word) ? newPart : word))
}

/** Returns what a request says, without what is made anew. */
function requestOf({ requestBody }: ExchangeRecord): string {
  const leaves = membersOf(jsonOf(requestBody)).map(({ pointer, value }) =>
    typeof value === 'string' ? `${pointer} ${withoutNewParts(value)}` : `${pointer} ${typeof value} ${value}`,
  )
  return leaves.join('\n')
}

/** Returns the values, ranges and numbers of items of an accepted answer by their places. Items of a list are at one place, in their order. */
function valuesIn({ record, sent, still }: ShownAnswer, shared: ReadonlySet<string>): ReadonlyMap<string, string> {
  const { requestBody = '' } = record
  // Routing may choose another approver, since it learns from what a deployment has seen before.
  const isChosen = (value: unknown) =>
    typeof value === 'string' && (value.includes('@') || sent.approvers.has(value)) && !requestBody.includes(value)
  const found = new PlaceTexts()
  const once = { once: true }
  const json = jsonIn(record)
  for (const [place, isTogether] of togetherIn(json, sent.values, shared))
    found.add(place + besideOf, isTogether ? 'beside the same values as in the request' : 'beside other values')
  for (const { pointer, name, value } of membersOf(json)) {
    const place = starred(pointer)
    if (Array.isArray(value)) found.add(place + itemsOf, `a list of ${value.length}`)
    if (value !== null && typeof value === 'object') continue
    const range = rangeIn(pointer, value)
    if (range !== undefined) found.add(place + rangeOf, range, once)
    const isSent = sent.values.has(leafText(name, value))
    found.add(place + echoOf, isSent ? 'as it was sent' : 'another value than was sent', once)
    const isNew = typeof value === 'string' && withoutNewParts(value).includes(newPart)
    for (const [end, form] of Object.entries(isNew ? formOf(value) : {})) found.add(place + end, form, once)
    if (!still || still.has(place)) found.add(place, isChosen(value) ? 'a person' : textOf(value))
  }
  return found.joined()
}

/**
 * Returns the places at which several reads of one thing show the same. What moves with the time since an execution differs between
 * them, unless all moved before the first one or nothing moves before the last one, as on a service that waits for people.
 */
export function stillPlaces(reads: readonly ExchangeRecord[]): ReadonlySet<string> {
  const [first, ...others] = reads.filter(({ status = 0 }) => status < 400).map(textsByPlace)
  if (!first || others.length === 0) return new Set()
  return new Set([...first].flatMap(([place, text]) => (others.every((one) => one.get(place) === text) ? [place] : [])))
}

/** Returns all values of an answer at each place, as one text. */
function textsByPlace(record: ExchangeRecord): ReadonlyMap<string, string> {
  const found = new PlaceTexts()
  for (const { pointer, value } of leavesOf(jsonIn(record))) found.add(starred(pointer), JSON.stringify(value))
  return found.joined()
}

function textOf(value: unknown): string {
  if (readTime(value)) return 'a time'
  // Measured, as most means are.
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return typeof value === 'string' ? JSON.stringify(withoutNewParts(value)) : String(value)
}

/** Returns what a run sent in its calls. */
export function sentIn(records: Iterable<ExchangeRecord>): SentValues {
  const [approvers, values] = [new Set<string>(), new Set<string>()]
  for (const { requestBody } of records) {
    for (const { pointer, value, text, around } of leavesWithin(jsonOf(requestBody))) {
      if (typeof value === 'string' && /\/approvers\/\d+\/\w+$/.test(pointer)) approvers.add(value)
      values.add(text)
      for (const one of around) values.add(pairText(one, text))
    }
  }
  return { approvers, values }
}

/**
 * Returns for each of the shared places with values that were sent whether all of them were sent together with those around them that
 * were sent, too: with most of them, since one of these may be wrong.
 */
function togetherIn(
  json: unknown,
  sent: ReadonlySet<string>,
  shared: ReadonlySet<string>,
): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const { pointer, text, around } of leavesWithin(json, (pointer) => shared.has(starred(pointer)))) {
    const known = sent.has(text) ? around.filter((one) => sent.has(one)) : []
    const together = known.filter((one) => sent.has(pairText(one, text)))
    const place = starred(pointer)
    if (known.length > 0) found.set(place, (found.get(place) ?? true) && 2 * together.length > known.length)
  }
  return found
}

const pairText = (one: string, other: string) => [one, other].toSorted().join(' ')

/** The most values of an object that are compared with each other: a larger one is a table, and not a thing. */
const mostBeside = 50

/** Returns the values of a body with their names, and those beside them and in the objects around them. */
function leavesWithin(json: unknown, counts: (pointer: string) => boolean = () => true) {
  const leaves = leavesOf(json).flatMap(({ pointer, name, value }) =>
    counts(pointer) ? [{ pointer, value, text: leafText(name, value) }] : [],
  )
  const byParent = new Map<string, typeof leaves>()
  for (const leaf of leaves) {
    const parent = parentOf(leaf.pointer)
    const beside = byParent.get(parent) ?? []
    if (beside.length < mostBeside) byParent.set(parent, [...beside, leaf])
  }
  return leaves.map((leaf) => {
    const around: string[] = []
    for (let at = leaf.pointer; at !== ''; at = parentOf(at))
      for (const one of byParent.get(parentOf(at)) ?? []) if (one.pointer !== leaf.pointer) around.push(one.text)
    return { ...leaf, around }
  })
}

const leafText = (name: string, value: unknown) => `${normalizeName(name)} ${JSON.stringify(value)}`
