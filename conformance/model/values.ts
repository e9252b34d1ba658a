/** Compares values of answers with those that were sent, whatever their type. */
import { isObject } from '../../src/contract/json.ts'

const beyondAscii = /[^\0-\x7f]/

/** The text of a scalar; texts are the same in any normal form (Unicode Standard Annex 15). */
export function scalarText(value: unknown): string {
  const text = String(value)
  return beyondAscii.test(text) ? text.normalize('NFC') : text
}

/** Returns true if a scalar is shown as it was sent; numbers and booleans may be shown as texts. */
export function isShownAs(shown: unknown, sent: unknown): boolean {
  return (shown === null || typeof shown !== 'object') && scalarText(shown) === scalarText(sent)
}

/** Returns true for a value that two samples hardly share by chance. */
export function isStrong(value: unknown): boolean {
  return typeof value === 'string' ? value.length > 5 : typeof value === 'number' && Math.abs(value) >= 100
}

/** Describes the prefix, the kinds of characters and the length of a text, which identifiers of one kind often share. */
export function outlineOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w-]/].map((kind) => kind.test(value))
  return [value.match(/^[a-z]+[_-]/i)?.[0] ?? '', ...kinds, value.length].join(' ')
}

/**
 * Returns a thing with the members of its objects, and the items of its lists of scalars, as fields of its own: `limits/low_cents`,
 * `labels/0`. Lists of things stay.
 */
export function flat<Fact extends object>(thing: Fact): Fact {
  const fields = Object.entries(thing).flatMap(([field, value]): (readonly [string, unknown])[] => {
    if (value === null || typeof value !== 'object') return [[field, value]]
    if (Array.isArray(value) && value.some(isObject))
      return [[field, value.map((one) => (isObject(one) ? flat(one) : one))]]
    return Object.entries(flat(value)).map(([name, one]) => [`${field}/${name}`, one] as const)
  })
  return Object.fromEntries(fields) as Fact
}
