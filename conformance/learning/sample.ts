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
  /** True if the answer is about a request that the contract refuses, and the deployment accepts. */
  readonly isOdd?: boolean
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
  /** True if facts explain usual answers, and only others are guessed. */
  readonly isForOdd?: true
  /** The number of values that the guess gets wrong in an answer; part of one if only some answers are. @default 1 */
  readonly wrong?: number
}

/** Returns how much of a template is guessed: the number of wrong values, of which those in odd answers count half. */
export function doubtOf(guesses: readonly Guess[]): number {
  return guesses.reduce((sum, { isForOdd, wrong = 1 }) => sum + (isForOdd ? 0.5 : wrong), 0)
}

/** Returns the number of values in a value, at any depth; at least 1. */
export function leavesIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  return Math.max(
    1,
    Object.values(value).reduce<number>((sum, one) => sum + leavesIn(one), 0),
  )
}

/** Collects guesses, and knows where in the answer it is. */
export interface AnswerPlace {
  readonly pointer: string
  /** The name of the innermost member. */
  readonly name: string
  readonly depth: number
  readonly guess: (guess: Guess) => void
  /** The number of answers that the template is made from. */
  readonly answers?: number
  /** The attempt that the value is part of, if any: the most doubt that it allows, and a function that gives it up. */
  readonly within?: { readonly most: number; readonly giveUp: () => never }
  /** Returns true for texts of the session, such as its identifiers, which no constant may repeat. */
  readonly isOwn?: (text: string) => boolean
  /** The lists of facts whose items the value is made for. */
  readonly inside?: readonly string[]
  /** True within a list whose items are all of one kind. */
  readonly isOneKind?: boolean
}

/** A template that was made, with its guesses. */
interface Attempt<T> {
  readonly made: T
  readonly guesses: readonly Guess[]
}

/**
 * Makes a template. Gives up and returns undefined when there is more doubt (see `doubtOf`) than `mostOwn`, or than the attempt around this
 * one allows: each attempt takes its time.
 */
export function attempt<T>(
  place: AnswerPlace,
  make: (place: AnswerPlace) => T,
  mostOwn = Number.POSITIVE_INFINITY,
): Attempt<T> | undefined {
  const most = Math.min(mostOwn, place.within?.most ?? mostOwn)
  const guesses: Guess[] = []
  const givenUp = Symbol('more guesses than another template has')
  const giveUp = () => {
    throw givenUp
  }
  const guess = (one: Guess) => {
    // A condition makes several guesses of one, of which the worst counts.
    const known = guesses.findIndex(({ pointer }) => pointer === one.pointer)
    const before = guesses[known]
    if (!before) guesses.push(one)
    else if (doubtOf([one]) > doubtOf([before])) guesses[known] = one
    if (doubtOf(guesses) > most) giveUp()
  }
  try {
    return { made: make({ ...place, guess, within: { most, giveUp } }), guesses }
  } catch (error) {
    if (error === givenUp) return undefined
    throw error
  }
}

/** The deepest facts that are considered, and the most of them in each object of facts. */
const maxDepth = 6
const mostFacts = 2000

/** The facts of one object. Many samples share it, so what is made of its facts is made once. */
class FactGroup {
  readonly #facts: ReadonlyMap<string, KnownFact>
  readonly #made = new Map<unknown, unknown>()
  /** The lists and objects, by their pointers. */
  readonly wholes: ReadonlyMap<string, KnownFact>

  constructor(facts: ReadonlyMap<string, KnownFact>, wholes: ReadonlyMap<string, KnownFact> = new Map()) {
    this.#facts = facts
    this.wholes = wholes
  }

  get(pointer: string): KnownFact | undefined {
    return this.#facts.get(pointer)
  }

  values(): IterableIterator<KnownFact> {
    return this.#facts.values()
  }

  /** Returns what a function makes of the facts. It is called once. */
  made<T>(make: (facts: readonly KnownFact[]) => T): T {
    if (!this.#made.has(make)) this.#made.set(make, make([...this.#facts.values()]))
    return this.#made.get(make) as T
  }
}

/** Looks up facts by their pointers: those of the innermost item first, those of the call last. */
class KnownFacts {
  /** The facts of each item and of its index, the innermost first, and those of the call. */
  readonly groups: readonly FactGroup[]
  readonly call: Facts

  constructor({ items, indices = [], facts }: AnswerSample) {
    this.call = facts
    const shown = indices.toReversed()
    const ofItems = items.toReversed().flatMap((item, up) => [groupOf(item, String(up)), indexGroup(up, shown[up])])
    this.groups = [...ofItems, groupOf(facts, '')]
  }

  get(pointer: string): KnownFact | undefined {
    return this.#groupOf(pointer)?.get(pointer)
  }

  /** Returns the list or the object at a pointer. */
  whole(pointer: string): KnownFact | undefined {
    return this.#groupOf(pointer)?.wholes.get(pointer)
  }

  #groupOf(pointer: string): FactGroup | undefined {
    const up = pointer.startsWith('/') ? Number.NaN : Number.parseInt(pointer, 10)
    if (Number.isNaN(up)) return this.groups.at(-1)
    const at = 2 * up + (pointer.endsWith('#') ? 1 : 0)
    return at < this.groups.length - 1 ? this.groups[at] : undefined
  }

  *values(): Generator<KnownFact> {
    for (const group of this.groups) yield* group.values()
  }

  /** Returns what a function makes of the facts, group by group. */
  *made<T>(make: (facts: readonly KnownFact[]) => readonly T[]): Generator<T> {
    for (const group of this.groups) yield* group.made(make)
  }
}

/** The facts of samples by their lists of items: the samples of an object's members share one. */
const known = new WeakMap<readonly unknown[], KnownFacts>()

/**
 * Returns the facts of a sample: scalars and lists. Lists are not entered, since their items belong to `$each`; of the latest
 * execution, of the first approver and of the first error the members count as well.
 */
export function factsOf(sample: AnswerSample): KnownFacts {
  const found = known.get(sample.items)
  if (found && found.call === sample.facts) return found
  const made = new KnownFacts(sample)
  known.set(sample.items, made)
  return made
}

/** Returns the values that samples have at a pointer to a fact. */
export function factValues(samples: readonly AnswerSample[], pointer: string): unknown[] {
  return samples.map((sample) => factsOf(sample).get(pointer)?.value)
}

/** Returns false for facts that only tell refusals apart, and that no answer shows. */
export const isShown = ({ pointer }: Pick<KnownFact, 'pointer'>) => !/\/(field|got)$/.test(pointer)

/** Returns true if a fact's value is so special that an equal value follows it. */
export function isDistinctive({ value, pointer }: KnownFact): boolean {
  if (/\/(pointer|sent)$/.test(pointer)) return true
  // Sizes are large and seldom the same by chance.
  if (typeof value === 'number') return value >= 100 && /^\/(request|object)\//.test(pointer)
  if (typeof value !== 'string' || value.length < 6) return false
  if (/^(\/request|\/answer|\d)/.test(pointer) && /[\d@]|.{12}/.test(value)) return true
  return pointer.startsWith('/path/')
}

/** Returns the pointers to the facts that any of the samples has. */
export function pointersIn(samples: readonly AnswerSample[]): Set<string> {
  const groups = new Set(samples.flatMap((sample) => factsOf(sample).groups))
  return new Set([...groups].flatMap((group) => group.made(pointersOf)))
}

const pointersOf = (facts: readonly KnownFact[]) => facts.map(({ pointer }) => pointer)

function indexGroup(up: number, value: number | undefined): FactGroup {
  const pointer = `${up}#`
  return new FactGroup(new Map(value === undefined ? [] : [[pointer, { pointer, name: 'index', value }]]))
}

/** The facts of each object, by the pointer to it. */
const collected = new WeakMap<object, Map<string, FactGroup>>()

function groupOf(value: unknown, pointer: string): FactGroup {
  const owner = typeof value === 'object' ? value : null
  const byPointer = (owner && collected.get(owner)) ?? new Map<string, FactGroup>()
  const found = byPointer.get(pointer)
  if (found) return found
  const [facts, wholes] = [new Map<string, KnownFact>(), new Map<string, KnownFact>()]
  collect({ pointer, name: '', value }, 0, facts, wholes)
  const group = new FactGroup(facts, wholes)
  if (owner) collected.set(owner, byPointer.set(pointer, group))
  return group
}

const ownWords = new Set(['type', 'title', 'detail', 'message'])
const entered = new Set(['recent_executions', 'completed_files', 'errors', 'approvers'])

function collect(fact: KnownFact, depth: number, facts: Map<string, KnownFact>, wholes: Map<string, KnownFact>): void {
  const { pointer, name, value } = fact
  if (depth > maxDepth || facts.size >= mostFacts) return
  if (value === null || typeof value !== 'object') {
    if (value !== undefined) facts.set(pointer, fact)
    return
  }
  wholes.set(pointer, fact)
  const enter = (member: string, inner: unknown, of: string) =>
    collect({ pointer: `${pointer}/${escapePointer(member)}`, name: of, value: inner }, depth + 1, facts, wholes)
  if (Array.isArray(value)) {
    facts.set(pointer, fact)
    if (entered.has(name) && value.length > 0) enter('0', value[0], name)
    return
  }
  for (const [member, inner] of Object.entries(value)) {
    // The contract's own words are not facts, and what an error is about is compared as a whole.
    if ((pointer.startsWith('/problem') && ownWords.has(member)) || member === 'echo') continue
    enter(member, inner, member)
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
