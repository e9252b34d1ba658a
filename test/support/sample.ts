import { inject } from 'vitest'

/** A sample has one in so many of the gate's tests, so that the samples of so many days have all of them. */
const days = 8

/** Which part of the gate runs: `all`, `deep`, or that of a date. */
const gateSample = inject('gateSample')

/** Whether the gate runs in its nightly size. */
export const isDeep = gateSample === 'deep'

/** Returns the part of a list that is due on the date; the whole list unless the gate runs a sample. */
export function sampled<T>(list: readonly T[], sample: string = gateSample): T[] {
  const day = dayOf(sample)
  return day === undefined ? [...list] : list.filter((_, index) => (index - day) % days === 0)
}

/** Returns what is due of each group, and at least one; everything unless the gate runs a sample. */
export function sampledOfEach<T>(groups: readonly (readonly T[])[], sample: string = gateSample): T[] {
  const due = groups.flatMap((group) => {
    const part = sampled(group, sample)
    const at = (dayOf(sample) ?? 0) % group.length
    return part.length > 0 ? part : group.slice(at, at + 1)
  })
  return [...new Set(due)]
}

/** Returns how many random cases a property is checked with: fewer if the gate runs a sample. */
export function cases(all: number, inSample: number): number {
  return dayOf(gateSample) === undefined ? all : inSample
}

/** Returns the number of a day, or undefined for `all` and `deep`. */
function dayOf(sample: string): number | undefined {
  const ms = Date.parse(sample)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 86_400_000)
}
