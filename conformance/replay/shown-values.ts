/** Compares the values that two services show in the same calls, at places at which they agree elsewhere. */
import { callAt } from '../../src/contract/call-at.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { readTime } from '../learning/times.ts'
import { membersOf } from '../reading/locate.ts'
import { parseJson } from '../wire/exchange.ts'
import { truncate } from '../wire/inert.ts'
import type { ExchangeRecord } from '../wire/record.ts'

/** The answer to a call in one run of a side. */
export interface ShownAnswer {
  readonly record: ExchangeRecord
  /** The names and addresses of all approvers that the run sent. */
  readonly approvers: ReadonlySet<string>
}

/** Two sides show another value at a place. */
export interface ShownDifference {
  /** The call at which it shows first. */
  readonly call: string
  /** The place, with `*` for each index. */
  readonly place: string
  readonly text: string
}

interface Shown {
  readonly call: string
  readonly place: string
  /** The texts of each side. */
  readonly sides: readonly [a: ReadonlySet<string>, b: ReadonlySet<string>]
}

/**
 * Returns the differences, one for each place. A place counts if no side differs from itself there in any call, and if the sides agree
 * there in another call: then they use the same words, and neither time nor chance decides what is shown. A single run of a side does
 * not show its noise, so it has no differences. `withoutNewParts` removes what is made anew in each run.
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
    const [left, right] = [a, b].map((side) => side.map((answer) => valuesIn(answer, withoutNewParts)))
    for (const place of left?.[0]?.keys() ?? []) {
      const sides = [textsAt(left, place), textsAt(right, place)] as const
      if (sides.some((texts) => texts.has(absent))) continue
      const kind = `${operation} ${place}`
      if (sides.some((texts) => texts.size > 1 || [...texts].some((text) => text.includes(newPart)))) restless.add(kind)
      else if ([...sides[0]][0] === [...sides[1]][0]) agreed.add(kind)
      else if (!differing.has(kind)) differing.set(kind, { call, place, sides })
    }
  }
  return [...differing]
    .filter(([kind]) => agreed.has(kind) && !restless.has(kind))
    .map(([, { call, place, sides }]) => {
      const [one, other] = sides.map((texts) => truncate([...texts][0] ?? '', 120))
      return { call, place, text: `${place} is ${one} in the answer of A, and ${other} in that of B.` }
    })
}

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

/** Returns the values of an accepted answer by their places. Items of a list are at one place, in their order. */
function valuesIn(
  { record: { status = 0, responseBody, requestBody = '' }, approvers }: ShownAnswer,
  withoutNewParts: (text: string) => string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string[]>()
  // Routing may choose another approver, since it learns from what a deployment has seen before.
  const isChosen = (value: unknown) =>
    typeof value === 'string' && (value.includes('@') || approvers.has(value)) && !requestBody.includes(value)
  if (status >= 400) return new Map()
  for (const { pointer, value } of membersOf(parseJson(new TextEncoder().encode(responseBody)))) {
    if (value !== null && typeof value === 'object') continue
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
    found.set(place, [...(found.get(place) ?? []), isChosen(value) ? 'a person' : textOf(value, withoutNewParts)])
  }
  return new Map([...found].map(([place, values]) => [place, values.join(', ')]))
}

function textOf(value: unknown, withoutNewParts: (text: string) => string): string {
  if (readTime(value)) return 'a time'
  // Measured, as most means are.
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction'
  return typeof value === 'string' ? JSON.stringify(withoutNewParts(value)) : String(value)
}

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
