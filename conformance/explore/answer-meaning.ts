/** Compares two answers to one call, by what they mean. */
import { isObject } from '../../src/contract/json.ts'
import { starred } from '../../src/profile/tolerance.ts'
import { membersOf } from '../reading/locate.ts'
import { figureOf } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { type CallOutcome, outcomeOf } from '../replay/outcome.ts'
import { PlaceTexts, rangeIn, rangeOf } from '../replay/value-forms.ts'
import type { Exchange } from '../wire/exchange.ts'

/** The meaning of an answer. */
export interface AnswerMeaning {
  readonly outcome: CallOutcome
  /** The values of an accepted answer and the ranges of its figures, by their places. */
  readonly values: ReadonlyMap<string, string>
}

/** Returns the meaning of an answer. `rename` replaces what differs from session to session, such as identifiers. */
export function meaningOf(exchange: Exchange, rename: (text: string) => string): AnswerMeaning {
  const outcome = outcomeOf(exchange)
  if (outcome !== 'accepted') return { outcome, values: new Map() }
  const found = new PlaceTexts()
  found.add('status', String(exchange.status))
  for (const { pointer, value } of membersOf(exchange.json)) {
    const place = starred(pointer)
    if (isObject(value)) continue
    found.add(place, textOf(value, pointer, rename))
    const range = rangeIn(pointer, value)
    if (range !== undefined) found.add(place + rangeOf, range, { once: true })
  }
  return { outcome, values: found.joined() }
}

function textOf(value: unknown, pointer: string, rename: (text: string) => string): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  // Two sides that answer in the same millisecond agree by chance.
  if (readTime(value)) return 'a time'
  if (isMeasuredDuration(pointer, value)) return 'a duration'
  // Durations under other names differ by milliseconds.
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(3)))
  if (typeof value !== 'string') return String(value)
  const text = rename(value)
  // Services also make identifiers of the time in milliseconds, which then agree by chance.
  return /^\d{15,}$/.test(text) ? 'a long number' : JSON.stringify(text)
}

/** Returns true for a duration that a service measures. Those that clients estimate are sent, and come back unchanged. */
function isMeasuredDuration(pointer: string, value: unknown): boolean {
  if (figureOf('completion_time', value) === undefined) return false
  const terms = pointer.split('/').flatMap(termsOf).slice(-3)
  return mentionsRole(terms, 'duration') && !mentionsRole(terms, 'estimate')
}

/** A difference between two sides in the answers to a call. */
export interface SideDifference {
  /** The same for differences of one kind. */
  readonly kind: string
  readonly text: string
  /** What each side shows. A side that shows something else in the same session differs from itself. */
  readonly shown: readonly [a: string, b: string]
}

/** The places at which two sides agree, and those at which one side does not even agree with itself. */
export class Agreement {
  /** How often the sides have agreed at a place, less how often they have not. Identifiers may agree once by chance. */
  readonly #agreed = new Map<string, number>()
  /** How often a difference did not show again. */
  readonly #doubts = new Map<string, number>()

  /**
   * Returns the difference between two answers to a call. Values at places that have not mostly agreed are left out: two builds of a
   * deployment may word their answers differently, but their figures are in the same range.
   */
  compare(call: string, a: AnswerMeaning, b: AnswerMeaning): SideDifference | undefined {
    if (a.outcome !== b.outcome) {
      const kind = `${call}: ${a.outcome}, ${b.outcome}`
      return this.#isNoise(kind)
        ? undefined
        : { kind, text: `It is ${a.outcome} by A, and ${b.outcome} by B.`, shown: [a.outcome, b.outcome] }
    }
    let first: SideDifference | undefined
    for (const place of new Set([...a.values.keys(), ...b.values.keys()])) {
      const kind = `${call} ${place}`
      const [one, other] = [a.values.get(place), b.values.get(place)]
      // A figure that only one side shows is compared as a value.
      const isRange = place.endsWith(rangeOf) && one !== undefined && other !== undefined
      const agreed = this.#agreed.get(kind) ?? 0
      if (one === other) this.#agreed.set(kind, agreed + 1)
      else if (!isRange && agreed <= 0) this.#agreed.set(kind, agreed - 1)
      else if (!first && !this.#isNoise(kind)) {
        const text = `${place} is ${short(one)} in the answer of A, and ${short(other)} in that of B.`
        first = { kind, text, shown: [one ?? '', other ?? ''] }
      }
    }
    return first
  }

  /** Notes that a difference did not show again. After some, it is left out; at once if a side differs from itself. */
  doubt({ kind }: SideDifference, { isNoise = false } = {}): void {
    this.#doubts.set(kind, isNoise ? mostDoubts : (this.#doubts.get(kind) ?? 0) + 1)
  }

  #isNoise(kind: string): boolean {
    return (this.#doubts.get(kind) ?? 0) >= mostDoubts
  }
}

const mostDoubts = 3

const short = (text = 'absent') => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
