import type { Schemas } from '../../contract/operations.ts'

/** Writes a duration in its two largest units: 1 h 52 min. */
export function durationText(minutes: number): string {
  const sign = minutes < 0 ? '−' : ''
  const seconds = Math.round(Math.abs(minutes) * 60)
  if (minutes === 0) return '0 s'
  if (seconds < 1) return `${sign}${Math.round(Math.abs(minutes) * 60_000)} ms`
  const units: readonly [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ]
  const first = units.findIndex(([size]) => seconds >= size)
  const [size = 1, name = 's'] = units[first] ?? []
  const [nextSize, nextName] = units[first + 1] ?? []
  const whole = Math.floor(seconds / size)
  const rest = nextSize ? Math.floor((seconds % size) / nextSize) : 0
  // Beside many minutes, seconds are noise.
  const isFine = rest === 0 || (name === 'min' && whole >= 10)
  return `${sign}${whole} ${name}${isFine ? '' : ` ${rest} ${nextName}`}`
}

const day = { day: 'numeric', month: 'short' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const
const second = { second: '2-digit' } as const

/** Writes a time with its day, in the reader's time zone: 22 Nov 08:46. */
export const timeText = timesWith({ ...day, ...clock })

/** Writes a time with its day and seconds. */
export const exactTimeText = timesWith({ ...day, ...clock, ...second })

/** Writes the time of day with seconds. */
export const timeOfDayText = timesWith({ ...clock, ...second })

function timesWith(parts: Intl.DateTimeFormatOptions): (time: string | number) => string {
  const format = new Intl.DateTimeFormat('en-GB', parts)
  return (time) => format.format(new Date(time))
}

/** Writes a size in bytes: 48.2 kB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`
}

/** Writes a share from 0 to 1 as a percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Characters that change the direction of the text around them. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Writes JSON for people; invisible characters that would reorder the text are escaped. Another text is returned as it is. */
export function prettyText(text: string): string {
  const value = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined
  const pretty = value === undefined ? text : JSON.stringify(value, null, 2)
  return pretty.replace(directions, (one) => `\\u${one.charCodeAt(0).toString(16)}`)
}

/** Returns the parsed value of a JSON text, or undefined if the text is not JSON, such as a truncated body. */
export function parsedJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const numbers = new Intl.NumberFormat('en-GB')

/** Writes a number with separators between thousands. */
export function numberText(value: number): string {
  return numbers.format(value)
}

/** Writes a number of things: 1 step, 2 steps. */
export function countText(count: number, thing: string): string {
  return `${numberText(count)} ${thing}${count === 1 ? '' : 's'}`
}

/** Names a tenant, with how much it has. */
export function tenantText({
  name,
  executions,
  running,
}: Pick<Schemas['Tenant'], 'name' | 'executions' | 'running'>): string {
  return `${name} · ${countText(executions, 'execution')}${running > 0 ? `, ${numberText(running)} running` : ''}`
}

/** Writes a word as the first one of a title. */
export function capitalized(word: string): string {
  return word.replace(/^./, (first) => first.toUpperCase())
}
