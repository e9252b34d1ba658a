/** The samples that a template is made from, and the facts that its values may follow. */
import type { Facts } from '../../src/profile/template.ts'
import { escapePointer } from '../../src/profile/template.ts'

/** A value of an answer, with what is known of its call and of the lists that it is in. */
export interface AnswerSample {
  readonly facts: Facts
  readonly value: unknown
  /** The items of the facts' lists that this value belongs to, the innermost last. */
  readonly items: readonly unknown[]
  /** What the answer is about, such as a workflow's identifier. */
  readonly thing: string
  /** When the answer arrived, in milliseconds since 1970. */
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
}

/** The deepest facts that are considered, and the most of them for each sample. */
const maxDepth = 6
const mostFacts = 2000

const known = new WeakMap<object, Map<string, KnownFact>>()

/**
 * Returns the facts of a sample by their pointers: scalars and lists, first those of the innermost item. Lists are not
 * entered, since their items belong to `$each`; of the latest execution and of the first error the members count as well.
 */
export function factsOf(sample: AnswerSample): ReadonlyMap<string, KnownFact> {
  const found = known.get(sample)
  if (found) return found
  const facts = new Map<string, KnownFact>()
  sample.items.toReversed().forEach((item, depth) => {
    collect(item, String(depth), '', 0, facts)
  })
  collect(sample.facts, '', '', 0, facts)
  known.set(sample, facts)
  return facts
}

const ownWords = new Set(['type', 'title', 'detail', 'message'])
const entered = new Set(['recent_executions', 'completed_files', 'errors'])

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
