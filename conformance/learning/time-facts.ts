/** Finds the facts that values follow: their order, and the time that a time follows. */
import { likeness } from './names.ts'
import { type AnswerPlace, type AnswerSample, factsOf, factValues, type KnownFact } from './sample.ts'

const roots = ['/answer', '/problem', '/object', '/session_id', '/key', '/path', '/request']

/** Orders facts: those of a similar name first, then those of inner lists, of the answer, and the least deep. */
export function sortByRank<T extends KnownFact>(
  facts: readonly T[],
  { name }: Pick<AnswerPlace, 'name'>,
  then: (a: T, b: T) => number = () => 0,
): T[] {
  const ranked = facts.map((fact) => ({ fact, rank: rankOf(fact, name) }))
  return ranked.toSorted((a, b) => a.rank - b.rank || then(a.fact, b.fact)).map(({ fact }) => fact)
}

/** Returns the rank of a fact for a value with a name: the lower, the likelier the value follows it. */
export function rankOf(fact: Pick<KnownFact, 'pointer' | 'name'>, name: string): number {
  const { pointer } = fact
  const at = roots.findIndex((start) => pointer.startsWith(start))
  const root = pointer.endsWith('#') ? 30 : /^\d/.test(pointer) ? Number(pointer.split('/')[0]) : at < 0 ? 20 : 10 + at
  return -1_000_000 * likeness(name, fact.name) + 1000 * root + pointer.split('/').length
}

/** Returns the facts of which all samples have a value that fits. */
export function factsInAll(
  samples: readonly AnswerSample[],
  fits: (value: unknown) => boolean,
  isMeant: (fact: KnownFact) => boolean = () => true,
): KnownFact[] {
  const [first, ...others] = samples
  if (!first) return []
  return [...factsOf(first).values()].filter(
    (fact) =>
      fits(fact.value) && isMeant(fact) && others.every((sample) => fits(factsOf(sample).get(fact.pointer)?.value)),
  )
}

/** The most that a time may differ from the fact that it follows, in milliseconds: clocks differ, and an answer takes time. */
const tolerance = 2500

/** Matches the contract's form of times. */
const contractTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns true for two times in the contract's form that may be the same: that of a fact, and that of the deployment. */
export function areSameTimes(one: string, other: string): boolean {
  return (
    contractTime.test(one) && contractTime.test(other) && Math.abs(Date.parse(one) - Date.parse(other)) <= tolerance
  )
}

/** Returns the fact that times follow, if there is one, and by how many seconds later. */
export function timeFact(
  samples: readonly AnswerSample[],
  times: readonly number[],
  name: string,
): { readonly pointer: string; readonly plus: number } | undefined {
  const offsets = ({ pointer }: KnownFact) =>
    factValues(samples, pointer).map((value, index) => (times[index] ?? 0) - Date.parse(String(value)))
  const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  const facts = factsInAll(samples, isTime).map((fact) => {
    const distances = offsets(fact)
    const plus = Math.round(median(distances) / 1000)
    const furthest = Math.max(...distances.map((one) => Math.abs(one - plus * 1000)))
    return { fact, plus, furthest: Math.round(furthest / 100) }
  })
  const close = facts.filter(({ furthest }) => furthest * 100 <= tolerance)
  const steady = close.filter(({ fact }) => isOnePerScope(samples, times, fact))
  const near = steady.length > 0 ? steady : close
  const same = near.filter(({ plus }) => Math.abs(plus) <= 2)
  const [best] = (same.length > 0 ? same : near).toSorted(
    (a, b) =>
      likeness(name, b.fact.name) - likeness(name, a.fact.name) ||
      Math.abs(a.plus) - Math.abs(b.plus) ||
      a.furthest - b.furthest ||
      rankOf(a.fact, name) - rankOf(b.fact, name),
  )
  return best && { pointer: best.fact.pointer, plus: wholeMinutes(best.plus) }
}

/** Returns false if one value of a fact has several times beside it. All steps share the start of their execution, for example. */
function isOnePerScope(samples: readonly AnswerSample[], times: readonly number[], { pointer }: KnownFact): boolean {
  const up = /^\d/.test(pointer) ? Number.parseInt(pointer, 10) : Number.POSITIVE_INFINITY
  const known = new Map<unknown, number | undefined>()
  return samples.every(({ items, facts }, index) => {
    const owner = items.at(-1 - up) ?? facts
    if (!known.has(owner)) known.set(owner, times[index])
    return known.get(owner) === times[index]
  })
}

/** Rounds seconds that are close to whole minutes, as zones and lifetimes are: answers take time, and times lose fractions. */
function wholeMinutes(seconds: number): number {
  const whole = Math.round(seconds / 60) * 60
  return Math.abs(seconds - whole) <= 2 ? whole : seconds
}

/** Returns the median; 0 if there are no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
