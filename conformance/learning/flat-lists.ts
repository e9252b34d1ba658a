/** Finds lists in the names of members, as `step.1.name` and `step.2.name`. */
import { kindOf } from './item-kinds.ts'
import type { AnswerSample } from './sample.ts'

/** A name with a number in it: what is before the number, and what is after it. */
const numbered = /^(.*?\D)(0|[1-9]\d*)(?!\d)(.*)$/s

type Members = Readonly<Record<string, unknown>>

/** The members of an object whose names begin alike, by their numbers. */
type Numbered = Map<number, Map<string, unknown>>

/**
 * Returns the samples with a list in the place of members whose names repeat with numbers from 0 or 1 on; `$flat` reverses this. The
 * list has the beginning of these names, and its items have members with their ends. Returns undefined if there is no such list.
 */
export function withLists(
  samples: readonly AnswerSample[],
): { readonly samples: AnswerSample[]; readonly from: number } | undefined {
  const objects = samples.map(({ value }) => value as Members)
  // The template turns each list into members.
  if (objects.some((members) => Object.values(members).some((value) => kindOf(value) === 'list'))) return undefined
  const groups = objects.map(groupsOf)
  const starts = [...new Set(groups.flatMap((group) => [...group.keys()]))]
  for (const from of [0, 1]) {
    const lists = starts.filter((start) => {
      const all = groups.flatMap((group) => group.get(start) ?? [])
      return all.some(({ size }) => size > 1) && all.every((one) => isList(one, from))
    })
    if (lists.length === 0) continue
    const made = objects.map((members, index) => {
      const others = Object.entries(members).filter(([name]) => !lists.includes(numbered.exec(name)?.[1] ?? ''))
      const shown = lists.map((start) => [start, itemsIn(groups[index]?.get(start), from)])
      return Object.fromEntries([...others, ...shown]) as Members
    })
    return { samples: samples.map((sample, index) => ({ ...sample, value: made[index] })), from }
  }
  return undefined
}

function groupsOf(members: Members): Map<string, Numbered> {
  const groups = new Map<string, Numbered>()
  for (const [name, value] of Object.entries(members)) {
    const [, start, number, end = ''] = numbered.exec(name) ?? []
    if (start === undefined) continue
    const items: Numbered = groups.get(start) ?? new Map()
    const item = items.get(Number(number)) ?? new Map<string, unknown>()
    groups.set(start, items.set(Number(number), item.set(end, value)))
  }
  return groups
}

/** Returns true if members are numbered without a gap, and each is an object of its own or a value. */
function isList(items: Numbered, from: number): boolean {
  const isWhole = [...items.values()].every((item) => !item.has('') || item.size === 1)
  return isWhole && [...items.keys()].every((number) => number >= from && number < from + items.size)
}

function itemsIn(items: Numbered = new Map(), from: number): unknown[] {
  return Array.from({ length: items.size }, (_, index) => {
    const item = items.get(index + from) ?? new Map<string, unknown>()
    return item.has('') ? item.get('') : Object.fromEntries(item)
  })
}
