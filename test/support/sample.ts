import { inject } from 'vitest'

/** A sample has one in so many of the gate's tests, so that the samples of so many days have all of them. */
const days = 8

/** Which part of the gate runs: `all`, `deep`, or that of a date. */
const gateSample = inject('gateSample')

/** Whether the gate runs in its nightly size. */
export const isDeep = gateSample === 'deep'

/** The part of a list that is due today; the whole list unless the gate runs a sample. */
export function sampled<T>(list: readonly T[], sample: string = gateSample): T[] {
  return list.filter((_, index) => dayOf(sample) === undefined || (index - (dayOf(sample) ?? 0)) % days === 0)
}

/** One of each group that is due today, which changes daily; all of them unless the gate runs a sample. */
export function oneOfEach<T>(groups: readonly (readonly T[])[], sample: string = gateSample): T[] {
  const day = dayOf(sample)
  const due = groups.flatMap((group) => (day === undefined ? group : group.slice(day % group.length).slice(0, 1)))
  return [...new Set(due)]
}

/** The number of a date; undefined for what is no date. */
function dayOf(sample: string): number | undefined {
  const ms = Date.parse(sample)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 86_400_000)
}
