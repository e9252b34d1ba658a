/** The samples that a template is made from, and the facts that its values may follow. */

import { escapePointer } from '../../src/contract/json.ts'
import type { Facts } from '../../src/profile/template.ts'

/** A value of an answer, with what is known of its call and of the lists that it is in. */
export interface AnswerSample {
  readonly facts: Facts
  readonly value: unknown
  /** The items of the facts' lists that this value belongs to, the innermost last. */
  readonly items: readonly unknown[]
  /** The indices of these items. */
  readonly indices?: readonly number[]
  /** Identifies the subject of the answer, such as a workflow. */
  readonly thing: string
  /** The time of arrival of the answer, in milliseconds since 1970. */
  readonly at: number
}

/** A fact that a value may follow. */
export interface KnownFact {
  readonly pointer: string
  /** The name of the member that holds it. */
  readonly name: string
  readonly value: unknown
}

/** A part of a template that is a guess, since the samples do not explain it. */
export interface Guess {
  /** The JSON Pointer into the answer; items of lists are `*`. */
  readonly pointer: string
  readonly why: string
}

/** Collects guesses, and knows where in the answer it is. */
export interface AnswerPlace {
  readonly pointer: string
  /** The name of the innermost member. */
  readonly name: string
  readonly depth: number
  readonly guess: (guess: Guess) => void
  /** The lists of facts whose items the value is made for. */
  readonly inside?: readonly string[]
  /** True within a list whose items are all of one kind. */
  readonly isOneKind?: boolean
}

/** The deepest facts that are considered, and the most of them in each object of facts. */
const maxDepth = 6
const mostFacts = 2000

/** Looks up facts by their pointers: those of the innermost item first, those of the call last. */
export class KnownFacts {
  /** The facts of each item, the innermost first. */
  readonly #items: readonly ReadonlyMap<string, KnownFact>[]
  readonly #call: ReadonlyMap<string, KnownFact>

  constructor({ items, indices = [], facts }: AnswerSample) {
    const shown = indices.toReversed()
    this.#items = items.toReversed().map((item, up) => {
      const known = factsIn(item, String(up))
      const value = shown[up]
      const pointer = `${up}#`
      return value === undefined ? known : new Map([...known, [pointer, { pointer, name: 'index', value }]])
    })
    this.#call = factsIn(facts, '')
  }

  get(pointer: string): KnownFact | undefined {
    const up = Number.parseInt(pointer, 10)
    return (Number.isNaN(up) ? this.#call : this.#items[up])?.get(pointer)
  }

  *values(): Generator<KnownFact> {
    for (const facts of this.#items) yield* facts.values()
    yield* this.#call.values()
  }
}

const known = new WeakMap<AnswerSample, KnownFacts>()

/**
 * Returns the facts of a sample: scalars and lists. Lists are not entered, since their items belong to `$each`; of the latest
 * execution, of the first approver and of the first error the members count as well.
 */
export function factsOf(sample: AnswerSample): KnownFacts {
  const found = known.get(sample) ?? new KnownFacts(sample)
  known.set(sample, found)
  return found
}

/** The facts of each object, by the pointer to it: many samples share one. */
const collected = new WeakMap<object, Map<string, ReadonlyMap<string, KnownFact>>>()

function factsIn(value: unknown, pointer: string): ReadonlyMap<string, KnownFact> {
  const owner = typeof value === 'object' ? value : null
  const byPointer = (owner && collected.get(owner)) ?? new Map<string, ReadonlyMap<string, KnownFact>>()
  const found = byPointer.get(pointer)
  if (found) return found
  const facts = new Map<string, KnownFact>()
  collect(value, pointer, '', 0, facts)
  if (owner) collected.set(owner, byPointer.set(pointer, facts))
  return facts
}

const ownWords = new Set(['type', 'title', 'detail', 'message'])
const entered = new Set(['recent_executions', 'completed_files', 'errors', 'approvers'])

function collect(value: unknown, pointer: string, name: string, depth: number, facts: Map<string, KnownFact>): void {
  if (depth > maxDepth || facts.size >= mostFacts) return
  if (value === null || typeof value !== 'object') {
    if (value !== undefined) facts.set(pointer, { pointer, name, value })
    return
  }
  if (Array.isArray(value)) {
    facts.set(pointer, { pointer, name, value })
    if (entered.has(name) && value.length > 0) collect(value[0], `${pointer}/0`, name, depth + 1, facts)
    return
  }
  for (const [member, inner] of Object.entries(value)) {
    // The contract's own words are not facts.
    if (pointer.startsWith('/problem') && ownWords.has(member)) continue
    collect(inner, `${pointer}/${escapePointer(member)}`, member, depth + 1, facts)
  }
}

/** Returns the samples' values of a member, for those that have it. */
export function memberSamples(samples: readonly AnswerSample[], name: string): AnswerSample[] {
  return samples.flatMap((sample) => {
    const { value } = sample
    const has = value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    return has ? [{ ...sample, value: (value as Record<string, unknown>)[name] }] : []
  })
}
