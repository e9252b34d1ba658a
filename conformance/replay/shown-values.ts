/**
 * Compares what two services show in the same calls: numbers of items, ranges of figures, whether values are those that were sent, and
 * values at places at which they agree elsewhere.
 */

import { callAt } from '../../src/contract/call-at.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { starred } from '../../src/profile/tolerance.ts'
import { membersOf, normalizeName, parentOf } from '../reading/locate.ts'
import { readTime } from '../reading/times.ts'
import { firstOf } from '../reads/needs-text.ts'
import { parseJson } from '../wire/exchange.ts'
import { truncate } from '../wire/inert.ts'
import type { ExchangeRecord } from '../wire/record.ts'
import { rangeIn, rangeOf } from './figure-range.ts'
import { groupsOf, mostPlaces } from './rows.ts'
import { formEnd, formOf, prefixEnd } from './text-form.ts'

/** The answer to a call in one run of a side. */
export interface ShownAnswer {
  readonly record: ExchangeRecord
  /** The names and addresses of all approvers that the run sent. */
  readonly approvers: ReadonlySet<string>
  /** What the run sent, as `sentIn` returns it. */
  readonly sent: ReadonlySet<string>
  /**
   * The places whose values depend neither on time nor on pace. At all others, only numbers of items, ranges, forms and what was sent
   * are compared. Undefined if these are all places.
   */
  readonly still: ReadonlySet<string> | undefined
}

/** Two sides differ at some places of one object. */
export interface ShownDifference {
  /** The call at which it shows first. */
  readonly call: string
  /** The places, with `*` for each index. */
  readonly places: readonly string[]
  readonly text: string
}

interface Shown {
  readonly call: string
  readonly place: string
  /** The texts of each side. */
  readonly sides: readonly [a: ReadonlySet<string>, b: ReadonlySet<string>]
}

/**
 * Returns the differences. A place counts if no side differs from itself there in any call. Its values count if the
 * sides agree there in another call: then they use the same words, and neither time nor chance decides what is shown. Numbers of items,
 * ranges of figures and values that were sent need no words. A single run of a side does not show its noise, so it has no differences. `withoutNewParts` removes what is made anew
 * in each run.
 */
export function shownDifferences(
  calls: Iterable<readonly [name: string, a: readonly ShownAnswer[], b: readonly ShownAnswer[]]>,
  withoutNewParts: (text: string) => string,
): ShownDifference[] {
  const differing = new Map<string, Shown>()
  const agreed = new Set<string>()
  const restless = new Set<string>()
  for (const [call, a, b] of calls) {
    const operation = operationOf(a[0]?.record)
    if (operation === undefined || a.length < 2 || b.length < 2) continue
    // The suite numbers what it sends, so after an extra call it sends other values to one side.
    if (new Set([...a, ...b].map(({ record }) => requestOf(record, withoutNewParts))).size > 1) continue
    const shared = sharedPlaces([...a, ...b])
    const [left, right] = [a, b].map((side) => side.map((answer) => valuesIn(answer, shared, withoutNewParts)))
    for (const place of left?.[0]?.keys() ?? []) {
      const sides = [textsAt(left, place), textsAt(right, place)] as const
      if (sides.some((texts) => texts.has(absent))) continue
      const kind = `${operation} ${place}`
      if (sides.some((texts) => texts.size > 1 || [...texts].some((text) => text.includes(newPart)))) restless.add(kind)
      else if ([...sides[0]][0] === [...sides[1]][0]) agreed.add(kind)
      else if (!differing.has(kind)) differing.set(kind, { call, place, sides })
    }
  }
  const all = [...differing]
    .filter(([kind]) => (agreed.has(kind) || needsNoWords(kind)) && !restless.has(kind))
    .map(([, { call, place, sides }]) => {
      const [one, other] = sides.map((texts) => truncate([...texts][0] ?? '', 120))
      return {
        call,
        place: place.replace(/ \(\w+\)$/, ''),
        how: `${one} in the answer of A, and ${other} in that of B.`,
      }
    })
  // What a value is says more than that it was not sent, and comes last.
  const rows = groupsOf(all, ({ call, place }) => `${call} ${place}`).flatMap((same) => same.slice(-1))
  // The values of one object probably have one cause.
  return groupsOf(rows, ({ call, place }) => `${call}\n${parentOf(place)}`).flatMap((same) => {
    const sentences = groupsOf(same, ({ how }) => how).map((alike) => {
      const places = firstOf(
        alike.map(({ place }) => place),
        mostPlaces,
      )
      return `${places} ${alike.length > 1 ? 'are' : 'is'} ${alike[0]?.how}`
    })
    const places = same.map(({ place }) => place)
    return same.slice(0, 1).map(({ call }) => ({ call, places, text: sentences.slice(0, mostPlaces).join(' ') }))
  })
}

const jsonIn = ({ responseBody }: ExchangeRecord) => parseJson(new TextEncoder().encode(responseBody))

/** Returns the places that all of some answers have. What only one side shows is a difference of shape. */
function sharedPlaces(answers: readonly ShownAnswer[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = answers.map(
    ({ record }) => new Set(membersOf(jsonIn(record)).map(({ pointer }) => starred(pointer))),
  )
  return new Set([...first].filter((place) => others.every((places) => places.has(place))))
}

/** The end of a place that stands for the numbers of items in its lists. */
const itemsOf = ' (items)'

/** The end of a place that stands for the answer to whether its values were sent under the same name. */
const echoOf = ' (echo)'

/** The end of a place that stands for the answer to whether its values were sent together with those around them. */
const besideOf = ' (beside)'

/** Returns true for places that are compared even if the sides agree there nowhere. */
const needsNoWords = (kind: string) =>
  [itemsOf, rangeOf, echoOf, besideOf, formEnd, prefixEnd].some((end) => kind.endsWith(end))

const operationOf = (record: ExchangeRecord | undefined): OperationId | undefined =>
  record && callAt(record.method, record.url)

/** Stands for what is made anew. A place of identifiers is not compared, since some of them look like words. */
export const newPart = '#'

/** Returns what a request says, without what is made anew. */
function requestOf({ requestBody = '' }: ExchangeRecord, withoutNewParts: (text: string) => string): string {
  const leaves = membersOf(parseJson(new TextEncoder().encode(requestBody))).map(({ pointer, value }) =>
    typeof value === 'string' ? `${pointer} ${withoutNewParts(value)}` : `${pointer} ${typeof value} ${value}`,
  )
  return leaves.join('\n')
}

/** Stands for a place that an answer does not have, which is a difference of shape. */
const absent = ''

const textsAt = (side: readonly ReadonlyMap<string, string>[] = [], place: string) =>
  new Set(side.map((values) => values.get(place) ?? absent))

/** Returns the values, ranges and numbers of items of an accepted answer by their places. Items of a list are at one place, in their order. */
function valuesIn(
  { record, approvers, sent, still }: ShownAnswer,
  shared: ReadonlySet<string>,
  withoutNewParts: (text: string) => string,
): ReadonlyMap<string, string> {
  const { status = 0, requestBody = '' } = record
  const found = new Map<string, string[]>()
  // Routing may choose another approver, since it learns from what a deployment has seen before.
  const isChosen = (value: unknown) =>
    typeof value === 'string' && (value.includes('@') || approvers.has(value)) && !requestBody.includes(value)
  if (status >= 400) return new Map()
  const json = jsonIn(record)
  for (const [pointer, isTogether] of togetherIn(json, sent, shared))
    found.set(starred(pointer) + besideOf, [
      isTogether ? 'beside the same values as in the request' : 'beside other values',
    ])
  for (const { pointer, name, value } of membersOf(json)) {
    const place = starred(pointer)
    const add = (kind: string, text: string) => {
      const before = found.get(place + kind) ?? []
      // However many items have a range, it is the same.
      if (kind === '' || kind === itemsOf || !before.includes(text)) found.set(place + kind, [...before, text])
    }
    if (Array.isArray(value)) add(itemsOf, `a list of ${value.length}`)
    if (value !== null && typeof value === 'object') continue
    const range = rangeIn(pointer, value)
    if (range !== undefined) add(rangeOf, range)
    add(echoOf, sent.has(leafText(name, value)) ? 'as it was sent' : 'another value than was sent')
    const isNew = typeof value === 'string' && withoutNewParts(value).includes(newPart)
    for (const [kind, form = ''] of Object.entries(isNew ? formOf(value) : {})) add(kind, form)
    if (!still || still.has(place)) add('', isChosen(value) ? 'a person' : textOf(value, withoutNewParts))
  }
  return new Map([...found].map(([place, values]) => [place, values.join(', ')]))
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
  const found = new Map<string, string>()
  for (const { pointer, value } of membersOf(jsonIn(record))) {
    if (value !== null && typeof value === 'object') continue
    const place = starred(pointer)
    found.set(place, `${found.get(place) ?? ''}${JSON.stringify(value)},`)
  }
  return found
}

function textOf(value: unknown, withoutNewParts: (text: string) => string): string {
  if (readTime(value)) return 'a time'
  // Measured, as most means are.
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return typeof value === 'string' ? JSON.stringify(withoutNewParts(value)) : String(value)
}

/** Returns what a run sent: each value with its name, and each two values of which one is in an object around the other. */
export function sentIn(records: Iterable<ExchangeRecord>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { requestBody = '' } of records) {
    for (const { text, around } of leavesWithin(parseJson(new TextEncoder().encode(requestBody)))) {
      found.add(text)
      for (const one of around) found.add(pairText(one, text))
    }
  }
  return found
}

/**
 * Returns for each value that was sent whether it was sent together with those around it that were sent, too: with most of them, since one
 * of these may be wrong. `false` comes last. Only values at the shared places count.
 */
function togetherIn(
  json: unknown,
  sent: ReadonlySet<string>,
  shared: ReadonlySet<string>,
): (readonly [pointer: string, isTogether: boolean])[] {
  const found = leavesWithin(json, (pointer) => shared.has(starred(pointer))).flatMap(({ pointer, text, around }) => {
    const known = sent.has(text) ? around.filter((one) => sent.has(one)) : []
    const together = known.filter((one) => sent.has(pairText(one, text)))
    return known.length > 0 ? [[pointer, 2 * together.length > known.length] as const] : []
  })
  return found.toSorted(([, one], [, other]) => Number(other) - Number(one))
}

const pairText = (one: string, other: string) => [one, other].toSorted().join(' ')

/** The most values of an object that are compared with each other: a larger one is a table, and not a thing. */
const mostBeside = 50

/** Returns the values of a body with their names, and those beside them and in the objects around them. */
function leavesWithin(json: unknown, counts: (pointer: string) => boolean = () => true) {
  const leaves = membersOf(json).flatMap(({ pointer, name, value }) =>
    (value !== null && typeof value === 'object') || !counts(pointer) ? [] : [{ pointer, text: leafText(name, value) }],
  )
  const byParent = new Map<string, typeof leaves>()
  for (const leaf of leaves) {
    const parent = parentOf(leaf.pointer)
    const beside = byParent.get(parent) ?? []
    if (beside.length < mostBeside) byParent.set(parent, [...beside, leaf])
  }
  return leaves.map(({ pointer, text }) => {
    const around: string[] = []
    for (let at = pointer; at !== ''; at = parentOf(at))
      for (const one of byParent.get(parentOf(at)) ?? []) if (one.pointer !== pointer) around.push(one.text)
    return { pointer, text, around }
  })
}

const leafText = (name: string, value: unknown) => `${normalizeName(name)} ${JSON.stringify(value)}`

/** Returns the names and addresses of the approvers that a run sent. */
export function approversIn(records: Iterable<ExchangeRecord>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { requestBody = '' } of records) {
    if (!requestBody.includes('"approvers"')) continue
    for (const { pointer, value } of membersOf(parseJson(new TextEncoder().encode(requestBody)))) {
      if (typeof value === 'string' && /\/approvers\/\d+\/\w+$/.test(pointer)) found.add(value)
    }
  }
  return found
}
