/** Measures how far two services answer alike: the share of the places of their answers that agree. */

import { escapePointer } from '../../src/contract/json.ts'
import { decodePercent, membersOf } from '../reading/locate.ts'
import { readTime } from '../reading/times.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import { minutesIn } from './figures.ts'
import { answerValue } from './learn.ts'

/** A place where two services answer differently. */
export interface Difference {
  /** The name of the exchange. */
  readonly call: string
  /** The JSON Pointer into status, headers and body. */
  readonly pointer: string
  readonly one: unknown
  readonly other: unknown
}

export interface Likeness {
  readonly places: number
  readonly agreeing: number
  readonly differences: readonly Difference[]
}

/** An exchange of a session that was sent to both services. */
export type Named = Exchange & { readonly name: string }

/**
 * Compares the answers of two services to one session. All places of a call that only the first service answered differ; calls that
 * it did not answer are ignored.
 */
export function measureLikeness(one: readonly Named[], other: readonly Named[]): Likeness {
  const differences: Difference[] = []
  let places = 0
  const others = new Map(other.map((exchange) => [exchange.name, exchange]))
  const same = correspondence(one, others)
  const sent = new Set([...one, ...other].flatMap((exchange) => [...placesInRequest(exchange).values()].map(String)))
  const compare = (call: string, a: unknown, b: unknown) => {
    const [ours, theirs] = [namesIn(a), namesIn(b)]
    const isShared = (name: string) => ours.has(name) && theirs.has(name)
    const isNew = (name: string) => !isShared(name) && withoutNewWord(name) === '<id>'
    // Services that count give one number to different things.
    const isMade = (name: string) => !sent.has(name) && (isNew(name) || /^\d{4,}$/.test(name))
    const left = placesOf(a, (name, index) => same.get(name) ?? (isMade(name) ? `<id ${index}>` : name))
    const right = placesOf(b, (name, index) => (isMade(name) ? `<id ${index}>` : name))
    for (const pointer of new Set([...left.keys(), ...right.keys()])) {
      places += 1
      const [x, y] = [left.get(pointer), right.get(pointer)]
      const isSame = x !== undefined && y !== undefined && same.get(String(x)) === String(y)
      if (left.has(pointer) && right.has(pointer) && (isSame || agree(x, y, same))) continue
      differences.push({ call, pointer, one: x, other: y })
    }
  }
  // Of calls with the same name, the latest counts.
  for (const [name, exchange] of new Map(one.map((each) => [each.name, each]))) {
    const counterpart = others.get(name)
    compare(name, answerValue(exchange), counterpart ? answerValue(counterpart) : undefined)
  }
  return { places, agreeing: places - differences.length, differences }
}

/**
 * Returns which identifiers of the two services stand for the same thing: the client sent them at the same places of the same
 * requests.
 */
function correspondence(one: readonly Named[], others: ReadonlyMap<string, Named>): Map<string, string> {
  const same = new Map<string, string>()
  for (const exchange of one) {
    const counterpart = others.get(exchange.name)
    if (!counterpart) continue
    const [sent, otherSent] = [placesInRequest(exchange), placesInRequest(counterpart)]
    for (const [pointer, value] of sent) {
      const otherValue = otherSent.get(pointer)
      if (otherValue === undefined || otherValue === value) continue
      same.set(String(value), String(otherValue))
      const [parts, otherParts] = [String(value).split('/'), String(otherValue).split('/')]
      if (parts.length !== otherParts.length) continue
      for (const [index, part] of parts.entries())
        if (part !== otherParts[index]) same.set(part, otherParts[index] ?? '')
    }
  }
  return same
}

/** The segments of a request's path and the leaves of its body, by their places. */
function placesInRequest(exchange: Exchange): Map<string, unknown> {
  const { pathname } = new URL(exchange.request.url)
  return placesOf({ path: pathname.split('/').map(decodePercent), body: sentJson(exchange) })
}

/**
 * The leaves of a value, and its empty lists and objects, by their pointers. `nameOf` says what stands for the name of a member at an
 * index of an object, since some names are identifiers which a service made, as in `{"4711": {…}}`.
 */
function placesOf(
  value: unknown,
  nameOf: (name: string, index: number) => string = (name) => name,
  pointer = '',
  found = new Map<string, unknown>(),
): Map<string, unknown> {
  if (found.size > 20_000) return found
  if (value === undefined) return found
  if (value === null || typeof value !== 'object') return found.set(pointer, value)
  if (Array.isArray(value) && readTime(value)) return found.set(pointer, value)
  const members = Object.entries(value)
  if (members.length === 0) return found.set(pointer, Array.isArray(value) ? [] : {})
  for (const [index, [name, member]] of members.entries()) {
    const shown = Array.isArray(value) ? name : nameOf(name, index)
    placesOf(member, nameOf, `${pointer}/${escapePointer(shown)}`, found)
  }
  return found
}

/** Returns the names of members in a value, at any depth. */
function namesIn(value: unknown): Set<string> {
  return new Set(membersOf(value).map(({ name }) => name))
}

/** Returns true if two values agree: they are equal, or both new and of the same form. */
function agree(a: unknown, b: unknown, same: ReadonlyMap<string, string>): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== typeof b) return false
  const [one, other] = [readTime(a), readTime(b)]
  if (one && other) return one.forms.some((form) => other.forms.includes(form))
  if (typeof a === 'object') return Array.isArray(a) === Array.isArray(b)
  if (typeof a === 'number') return areAlikeNumbers(a, Number(b))
  if (typeof a !== 'string') return false
  if (/^https?:/.test(a) && URL.canParse(a) && URL.canParse(String(b)))
    return isAlikeUrl(new URL(a), new URL(String(b)), same)
  // E-mail addresses and names of people come from the requests, and are never made anew.
  if (/@|Approver \d/.test(a)) return a.replaceAll(chosen, '$1') === String(b).replaceAll(chosen, '$1')
  return withoutNewParts(a) === withoutNewParts(String(b))
}

/** Numbers that count, or fractions that are almost the same, as figures are that follow the clock. */
function areAlikeNumbers(one: number, other: number): boolean {
  if (Number.isInteger(one) && Number.isInteger(other)) return one > 999 && String(one).length === String(other).length
  return Math.abs(one - other) <= 0.01 * Math.abs(one)
}

/** The same segments and the same parameters, whatever the machine and the values. `same` has the keys of objects. */
function isAlikeUrl(one: URL, other: URL, same: ReadonlyMap<string, string>): boolean {
  let [path, otherPath] = [decodePercent(one.pathname), decodePercent(other.pathname)]
  for (const [theirs, ours] of same) {
    if (!theirs.includes('/') || !path.includes(theirs) || !otherPath.includes(ours)) continue
    path = path.replace(theirs, () => '<key>')
    otherPath = otherPath.replace(ours, () => '<key>')
  }
  const names = ({ searchParams }: URL) => [...searchParams.keys()].join('&')
  const [segments, others] = [path.split('/'), otherPath.split('/')]
  const isAlike = (part: string, index: number) =>
    same.get(part) === others[index] || withoutNewParts(part) === withoutNewParts(others[index] ?? '')
  return segments.length === others.length && segments.every(isAlike) && names(one) === names(other)
}

/** The number of an approver in an e-mail address or a name of a lesson: who is chosen is open. */
const chosen = /(\.a|Approver )\d+/g

/** A text without what is made anew: addresses of machines, times, durations, identifiers. */
function withoutNewParts(text: string): string {
  if (minutesIn(text) !== undefined) return '<duration>'
  return text
    .replaceAll(/https?:\/\/[^/\s"]+/g, '<origin>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?/g, '<time>')
    .replaceAll(/[A-Za-z0-9+/=_-]+/g, withoutNewWord)
}

/** Replaces a word by its kind: a number, or an identifier, which has a digit or is long and often changes its case. */
function withoutNewWord(word: string): string {
  if (/\d/.test(word)) return /[A-Za-z]/.test(word) ? '<id>' : '<number>'
  return word.length >= 10 && (word.match(/[a-z][A-Z]/g) ?? []).length > 2 ? '<id>' : word
}
