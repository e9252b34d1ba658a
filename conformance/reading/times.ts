/** Reads times in the forms that deployments write them in. */
import { type TimeForm, timeForms, trimmedDigits, writeTime } from '../../src/profile/template.ts'
import { remember } from './names.ts'

/** A time and the forms that it may be written in. */
export interface ReadTime {
  readonly ms: number
  readonly forms: readonly TimeForm[]
  /** The minutes that its time zone is ahead of UTC, if it is written in another zone. */
  readonly zone?: number
}

/** Returns the form that all times may be written in, and their zone if all have the same. */
export function commonForm(
  times: readonly (ReadTime | undefined)[],
): { readonly form: TimeForm; readonly zone?: number } | undefined {
  const [first] = times
  const form = first?.forms.find((one) => times.every((time) => time?.forms.includes(one) && time.zone === first.zone))
  return form && { form, ...(first?.zone !== undefined && { zone: first.zone }) }
}

/** The milliseconds of units at the ends of names. */
export const timeUnits: ReadonlyMap<string, number> = new Map([
  ...['ms', 'millis', 'millisecond', 'milliseconds'].map((word) => [word, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((word) => [word, 1000] as const),
  ...['min', 'mins', 'minute', 'minutes'].map((word) => [word, 60_000] as const),
])

/** Times of service: from 2001 to 2100. Other numbers are no times. */
const [earliest, latest] = [Date.UTC(2001), Date.UTC(2100)]

/** Returns the time that a value writes, or undefined if it writes none. */
export function readTime(value: unknown): ReadTime | undefined {
  const [, local, sign, hours, colon, minutes] =
    typeof value === 'string' && value.length <= 40
      ? (/^(\d{4}-\d\d-\d\dT[\d:.]+)([+-])(\d\d)(:?)(\d\d)$/.exec(value) ?? [])
      : []
  const zone = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  if (zone !== 0) {
    const read = readTime(`${local}+00${colon}00`)
    return read && { ...read, ms: read.ms - zone * 60_000, zone }
  }
  for (const ms of candidates(value)) {
    if (!(ms >= earliest && ms <= latest)) continue
    const forms = formsLike(value).filter((form) => isWritten(value, ms, form))
    if (forms.length > 0) return { ms, forms }
  }
  return undefined
}

const read = remember((text) => ({ ms: readTime(text)?.ms }))

/** Returns the milliseconds since 1970 that a value writes, or undefined if it writes no time. Remembers texts, which answers repeat. */
export const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? read(value).ms : readTime(value)?.ms

function candidates(value: unknown): number[] {
  if (Array.isArray(value)) return listed(value)
  if (typeof value === 'number') return [value, Math.round(value * 1000)]
  const dayFirst = typeof value === 'string' ? /^(\d\d)\.(\d\d)\.(\d{4}),? (\d\d:\d\d:\d\d)$/.exec(value) : null
  if (dayFirst) return [Date.parse(`${dayFirst[3]}-${dayFirst[2]}-${dayFirst[1]}T${dayFirst[4]}Z`)]
  if (typeof value !== 'string' || value.length > 40 || !/^(\d{4}-?\d\d|\d{10}(\d{3})?$|[A-Z][a-z]{2}, )/.test(value))
    return []
  if (/^\d+$/.test(value)) return [Number(value), Number(value) * 1000]
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value)
  if (compact) return [Date.parse(`${compact.slice(1, 4).join('-')}T${compact.slice(4).join(':')}Z`)]
  const zoned = /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value
  return [Date.parse(zoned)]
}

/** The time of a list such as `[2026, 3, 1, 9, 0, 30, 500000000]`. */
function listed(numbers: readonly unknown[]): number[] {
  if (![3, 6, 7].includes(numbers.length) || !numbers.every((one): one is number => Number.isInteger(one))) return []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, nanos = 0] = numbers
  return [Date.UTC(year, month - 1, day, hour, minute, second, Math.floor(nanos / 1_000_000))]
}

/** The ends of the names of forms with more digits than milliseconds. */
const finerForms = ['micros', 'ticks', 'nanos']

/** The forms by the type of what they write: only those of a value's own type can have written it. */
const formsOfType = new Map<string, readonly TimeForm[]>(
  ['string', 'number', 'object'].map((type) => [type, timeForms.filter((form) => typeof writeTime(0, form) === type)]),
)
const formsLike = (value: unknown) => formsOfType.get(typeof value) ?? []

/** Returns true if a time in a form is like this value, up to digits that the form does not keep. */
function isWritten(value: unknown, ms: number, form: TimeForm): boolean {
  const written = writeTime(ms, form)
  const digits = trimmedDigits(form)
  if (digits !== undefined) return isTrimmed(String(value), String(written), digits)
  if (finerForms.some((end) => form.endsWith(end)) && !form.startsWith('list')) return shape(written) === shape(value)
  return isList(written) && isList(value) ? startsAlike(written, value) : written === value
}

/** Returns true if two times are equal up to the second, and the value's fraction has at most `digits` digits and no trailing zero. */
function isTrimmed(value: string, written: string, digits: number): boolean {
  const [, fraction = ''] = /\.(\d+)/.exec(value) ?? []
  const whole = (text: string) => text.replace(/\.\d+/, '')
  return whole(value) === whole(written) && fraction.length <= digits && !fraction.endsWith('0')
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Returns true if two lists of as many numbers are the same down to the second. */
const startsAlike = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.slice(0, 6).join() === other.slice(0, 6).join()

const shape = (value: unknown) => String(value).replaceAll(/\d/g, '0')

/** Returns the precision of times in milliseconds: a minute or a second if all are multiples of it, or else a millisecond. */
export const precisionOf = (times: readonly number[]) =>
  [60_000, 1000].find((unit) => times.every((time) => time % unit === 0)) ?? 1
