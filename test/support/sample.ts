import { inject } from 'vitest'
import { dateOnCi } from '../setup/gate-sample.ts'

/** A sample contains one in `days` tests, so that the samples of `days` days in a row contain all of them. */
const days = 16

/** The part of the gate that runs: `all`, `deep`, or the sample of a date. */
const gateSample = inject('gateSample')

/** True for the weekly run (`npm run selftest:deep`), which is larger than `all`. */
export const isDeep = gateSample === 'deep'

/** Returns the items of a list that are due on the date of the sample, at least one. Without a sample, returns the whole list. */
export function sampled<T>(list: readonly T[], sample: string = gateSample): T[] {
  const day = dayOf(sample)
  if (day === undefined) return [...list]
  const due = list.filter((_, index) => (index - day) % days === 0)
  return due.length > 0 ? due : oneADay(list, sample)
}

/** Returns the items of a list that are in the slice of `GATE_SLICE`; all of them without one. */
export function sliced<T>(list: readonly T[]): T[] {
  const [place, slices] = inject('gateSlice')
  return list.filter((_, index) => index % slices === place)
}

/** The date of the sample; if another part of the gate runs, always the same one. */
export const sampleDate = dayOf(gateSample) === undefined ? dateOnCi : gateSample

/** Returns one item of a list; for each day the next one. */
export function oneADay<T>(list: readonly T[], date: string = sampleDate): T[] {
  const at = (dayOf(date) ?? 0) % list.length
  return list.slice(at, at + 1)
}

/** Returns the number of random cases to draw: `all`, or `inSample` if a sample runs. */
export function cases(all: number, inSample: number): number {
  return dayOf(gateSample) === undefined ? all : inSample
}

/** Returns the number of a day, or undefined for `all` and `deep`. */
function dayOf(sample: string): number | undefined {
  const ms = Date.parse(sample)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 86_400_000)
}
