/** The samples that a template is made from, and the facts that its values may follow. */
import type { Facts } from '../../src/profile/template.ts'
import { escape } from '../../src/profile/template.ts'

/** A value of an answer, with what is known of its call and of the lists that it is in. */
export interface Sample {
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
export interface Fact {
  readonly pointer: string
  /** The name of the member that holds it. */
  readonly name: string
  readonly value: unknown
}

/** The deepest facts that are considered, and the most of them for each sample. */
const maxDepth = 6
const mostFacts = 2000

const known = new WeakMap<object, Map<string, Fact>>()

/**
 * Returns the facts of a sample by their pointers: scalars and lists, first those of the innermost item. Lists are not
 * entered, since their items belong to `$each`; of the latest execution and of the first error the members count as well.
 */
export function factsOf(sample: Sample): ReadonlyMap<string, Fact> {
  const found = known.get(sample)
  if (found) return found
  const facts = new Map<string, Fact>()
  sample.items.toReversed().forEach((item, depth) => {
    collect(item, String(depth), '', 0, facts)
  })
  collect(sample.facts, '', '', 0, facts)
  known.set(sample, facts)
  return facts
}

const ownWords = new Set(['type', 'title', 'detail', 'message'])
const entered = new Set(['recent_executions', 'completed_files', 'errors'])

function collect(value: unknown, pointer: string, name: string, depth: number, facts: Map<string, Fact>): void {
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
    collect(inner, `${pointer}/${escape(member)}`, member, depth + 1, facts)
  }
}

/** Returns the samples' values of a member, for those that have it. */
export function memberSamples(samples: readonly Sample[], name: string): Sample[] {
  return samples.flatMap((sample) => {
    const { value } = sample
    const has = value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    return has ? [{ ...sample, value: (value as Record<string, unknown>)[name] }] : []
  })
}
