import { numberOf } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'

/** The ends of places that stand for what identifiers have in common, not for their values. */
export const [formEnd, prefixEnd] = [' (form)', ' (prefix)']

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What all identifiers that one service makes have in common, by the end of the place that stands for it. */
export type TextForm = Readonly<Partial<Record<typeof formEnd | typeof prefixEnd, string>>>

/** Returns the form of an identifier or of a path. Other texts, times and durations have none. */
export function formOf(text: string): TextForm {
  if (/[\s@]|:\/\//.test(text) || readTime(text)) return {}
  const slash = text.indexOf('/')
  if (slash >= 0) return { [prefixEnd]: `a path in ${text.slice(0, slash + 1)}` }
  if (uuid.test(text)) return { [formEnd]: 'a UUID' }
  if (/^\d+$/.test(text)) return { [formEnd]: 'digits' }
  if (numberOf(text) !== undefined) return {}
  // Rounded up to a power of two, few counters differ in their length.
  const length = 2 ** Math.ceil(Math.log2(text.length))
  const prefix = /^[a-z]+[_-]/i.exec(text)?.[0]
  return {
    [formEnd]: `a text of up to ${length} characters`,
    [prefixEnd]: prefix === undefined ? 'a text without a prefix' : `a text that begins with ${prefix}`,
  }
}
