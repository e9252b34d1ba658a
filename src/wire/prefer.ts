import type { Incoming } from './exchange.ts'
import { Problem } from './problem.ts'

/** A client's preferences for a single answer (RFC 7240), also accepted in the query for a browser's address bar. */
export interface Preferences {
  readonly code?: string
  readonly example?: string
  /** In real milliseconds. */
  readonly delay?: number
}

const names = ['code', 'example', 'delay'] as const
const longestDelay = 60_000
const none: Preferences = {}

/** Reads `Prefer: code=404, example=name, delay=800` and the query parameters `?__code=…`; the header wins. */
export function preferencesOf(incoming: Incoming): Preferences {
  const preferred = incoming.header('prefer')
  if (preferred === undefined && incoming.search === '') return none
  const query = new URLSearchParams(incoming.search)
  const header = new Map(
    (preferred ?? '').split(/[,;]/).map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=')
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')]
    }),
  )
  const asked = names.flatMap((name) => {
    const value = header.get(name) ?? query.get(`__${name}`)
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  const { delay, ...rest } = Object.fromEntries(asked) as Partial<Record<(typeof names)[number], string>>
  return delay === undefined ? rest : { ...rest, delay: delayOf(delay) }
}

/** Removes the preferences from the query, since they are not part of the signed URL. */
export function withoutPreferences(search: string): string {
  if (!/[?&]__(code|example|delay)=/.test(search)) return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !/^__(code|example|delay)=/.test(part))
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

function delayOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= longestDelay) return Number(text)
  throw new Problem(
    'invalid-preference',
    `The preferred delay is not a whole number from 0 to ${longestDelay}. Send milliseconds in this range, such as delay=800.`,
  )
}
