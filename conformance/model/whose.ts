/** Whose is an answer? Texts that only one thing has tell it. */
import { leavesOf } from '../reading/places.ts'
import type { Sample, Thing } from './bind.ts'
import { isStrong, scalarText } from './values.ts'

/** A workflow or an execution, with the texts that identify it. */
export interface TextOwner {
  readonly thing: object
  readonly texts: readonly unknown[]
}

/** Returns the texts of a thing, also those of the things in it. */
export function allTexts(facts: Thing): unknown[] {
  return leavesOf(facts).map(({ value }) => value)
}

/** Leaves out the answers that show more of another thing than of their own. */
export function withoutStrays(samples: readonly Sample[], owners: readonly TextOwner[]): Sample[] {
  const own = ownTexts(owners)
  return samples.filter(({ shown, about }) => {
    const counts = new Map<object, number>()
    for (const { value } of leavesOf(shown)) {
      const thing = own.get(scalarText(value))
      if (thing) counts.set(thing, (counts.get(thing) ?? 0) + 1)
    }
    const mine = counts.get(about) ?? 0
    return ![...counts].some(([thing, count]) => thing !== about && count > mine)
  })
}

/** Returns the texts that only one thing has. */
function ownTexts(owners: readonly TextOwner[]): ReadonlyMap<string, object> {
  const found = new Map<string, Set<object>>()
  for (const { thing, texts } of owners) {
    for (const text of texts.filter((one) => typeof one === 'string' && isStrong(one)).map(scalarText)) {
      found.set(text, (found.get(text) ?? new Set()).add(thing))
    }
  }
  return new Map([...found].flatMap(([text, [thing, other]]) => (thing && !other ? [[text, thing]] : [])))
}
