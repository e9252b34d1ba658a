/** Reads times in the forms that deployments write them in. */
import { type TimeForm, timeForms, writeTime } from '../../src/profile/template.ts'

/** A time and the forms that it may be written in. */
export interface ReadTime {
  readonly ms: number
  readonly forms: readonly TimeForm[]
}

/** Times of service: from 2001 to 2100. Other numbers are no times. */
const [earliest, latest] = [Date.UTC(2001), Date.UTC(2100)]

/** Returns the time that a value writes, or undefined if it writes none. */
export function readTime(value: unknown): ReadTime | undefined {
  for (const ms of candidates(value)) {
    if (!(ms >= earliest && ms <= latest)) continue
    const forms = timeForms.filter((form) => isWritten(value, ms, form))
    if (forms.length > 0) return { ms, forms }
  }
  return undefined
}

function candidates(value: unknown): number[] {
  if (typeof value === 'number') return [value, value * 1000]
  if (typeof value !== 'string' || value.length > 40 || !/^(\d{4}-?\d\d|\d{10}(\d{3})?$|[A-Z][a-z]{2}, )/.test(value))
    return []
  if (/^\d+$/.test(value)) return [Number(value), Number(value) * 1000]
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value)
  if (compact) return [Date.parse(`${compact.slice(1, 4).join('-')}T${compact.slice(4).join(':')}Z`)]
  const zoned = /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value
  return [Date.parse(zoned)]
}

/** Returns whether a time in a form is like this value, up to digits that the form does not keep. */
function isWritten(value: unknown, ms: number, form: TimeForm): boolean {
  const written = writeTime(ms, form)
  if (typeof written !== typeof value) return false
  if (/micros|ticks/.test(form)) return shape(written) === shape(value)
  return written === value
}

const shape = (value: unknown) => String(value).replaceAll(/\d/g, '0')
