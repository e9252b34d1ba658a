/** Finds the facts that values follow: their order, and the time that a time follows. */
import { likeness } from './names.ts'
import { type AnswerPlace, type AnswerSample, factsOf, type KnownFact } from './sample.ts'

/** Orders facts: those of a similar name first, then those of inner lists, of the answer, and the least deep. */
export function byRank(place: Pick<AnswerPlace, 'name'>): (a: KnownFact, b: KnownFact) => number {
  const root = ({ pointer }: KnownFact) => {
    const at = ['/answer', '/problem', '/object', '/session_id', '/key', '/path', '/request'].findIndex((start) =>
      pointer.startsWith(start),
    )
    if (pointer.endsWith('#')) return 30
    return /^\d/.test(pointer) ? Number(pointer.split('/')[0]) : at < 0 ? 20 : 10 + at
  }
  return (a, b) =>
    likeness(place.name, b.name) - likeness(place.name, a.name) ||
    root(a) - root(b) ||
    a.pointer.split('/').length - b.pointer.split('/').length
}

/** Returns the facts of which all samples have a value that fits. */
export function factsInAll(samples: readonly AnswerSample[], fits: (value: unknown) => boolean): KnownFact[] {
  const [first, ...others] = samples
  if (!first) return []
  return [...factsOf(first).values()].filter(
    (fact) => fits(fact.value) && others.every((sample) => fits(factsOf(sample).get(fact.pointer)?.value)),
  )
}

/** The most that a time may differ from the fact that it follows, in milliseconds: clocks differ, and an answer takes time. */
const tolerance = 2500

/** Returns the fact that times follow, if there is one, and by how many seconds later. */
export function timeFact(
  samples: readonly AnswerSample[],
  times: readonly number[],
  name: string,
): { readonly pointer: string; readonly plus: number } | undefined {
  const offsets = (fact: KnownFact) =>
    samples.map((sample, index) => (times[index] ?? 0) - Date.parse(String(factsOf(sample).get(fact.pointer)?.value)))
  const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  const facts = factsInAll(samples, isTime).map((fact) => {
    const distances = offsets(fact)
    const plus = Math.round(median(distances) / 1000)
    const furthest = Math.max(...distances.map((one) => Math.abs(one - plus * 1000)))
    return { fact, plus, furthest: Math.round(furthest / 100) }
  })
  const near = facts.filter(({ furthest }) => furthest * 100 <= tolerance)
  const same = near.filter(({ plus }) => Math.abs(plus) <= 2)
  const rank = byRank({ name })
  const [best] = (same.length > 0 ? same : near).toSorted(
    (a, b) =>
      likeness(name, b.fact.name) - likeness(name, a.fact.name) ||
      Math.abs(a.plus) - Math.abs(b.plus) ||
      a.furthest - b.furthest ||
      rank(a.fact, b.fact),
  )
  return best && { pointer: best.fact.pointer, plus: Math.abs(best.plus) <= 2 ? 0 : best.plus }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
