import { numberOf } from '../reading/places.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'

/** The end of a place that stands for the range of its figures, not for their values. */
export const rangeOf = ' (range)'

/**
 * Returns the range of a figure: its sign, and for a rate, whether it can be a share or a percentage. Pace and chance change values, but
 * no sound figure leaves its range. Returns undefined for what is no figure, and for a rate of 0, which is in both ranges.
 */
export function rangeIn(pointer: string, value: unknown): string | undefined {
  const figure = numberOf(value)
  if (figure === undefined) return undefined
  if (figure < 0) return 'below 0'
  if (!mentionsRole(pointer.split('/').flatMap(termsOf).slice(-3), 'rate')) return 'at least 0'
  if (figure === 0) return undefined
  return figure <= 1 ? 'between 0 and 1' : figure <= 100 ? 'between 1 and 100' : 'above 100'
}
