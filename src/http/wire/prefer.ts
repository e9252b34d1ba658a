import { examples } from '../../contract/examples.gen.ts'
import type { OperationId } from '../../contract/operations.ts'
import { type Incoming, inJson, type Outgoing } from './exchange.ts'
import { injectedFault, Problem } from './problem.ts'

/** What a client asks of a single answer (RFC 7240; the same in the query for a browser's address bar). */
export interface Preferences {
  readonly code?: string
  readonly example?: string
  /** In real milliseconds. */
  readonly delay?: number
}

const names = ['code', 'example', 'delay'] as const
const longestDelay = 60_000
const none: Preferences = {}

/** Reads `Prefer: code=404, example=name, delay=800` and its twins `?__code=…`; the header wins. */
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

/** The query without the twins, which are no part of what the client means to call. */
export function withoutTwins(search: string): string {
  if (!/[?&]__(code|example|delay)=/.test(search)) return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !/^__(code|example|delay)=/.test(part))
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

/** The contract's example that is asked for, as an answer; nothing where none is. Nothing happens but the answer. */
export function preferredAnswer(id: OperationId, { code, example }: Preferences): Outgoing | undefined {
  if (code === undefined && example === undefined) return undefined
  const fits = ({ status, name }: Listed) => (code ?? status) === status && (example ?? name) === name
  const found = listed(id).find(fits)
  if (!found && example === undefined && /^5\d\d$/.test(code ?? '')) return preferredFault(Number(code))
  if (!found) throw unknownPreference(id, [code && `code=${code}`, example && `example=${example}`])
  const { status, name, type, value } = found
  const headers = { ...found.headers, 'Preference-Applied': `code=${status}${name ? `, example=${name}` : ''}` }
  if (typeof value !== 'string') return inJson(Number(status), value, headers, type)
  const all = { ...headers, ...(type && { 'Content-Type': type }) }
  return { status: Number(status), headers: Object.entries(all), body: value }
}

/** Errors that the contract does not have, such as 500, are worth trying too. */
function preferredFault(status: number): Outgoing {
  const fault = injectedFault(status, `The request asked for this error with 'Prefer: code=${status}'.`)
  return { ...fault, headers: [...fault.headers, ['Preference-Applied', `code=${status}`]] }
}

/** An answer of the contract; without a name and a value where its body is empty. */
interface Listed {
  readonly status: string
  readonly type?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly name?: string
  readonly value?: unknown
}

function listed(id: OperationId): Listed[] {
  return Object.entries(examples[id]).flatMap(([status, { type, headers, examples }]): Listed[] => {
    const values = Object.entries(examples)
    const named = values.map(([name, value]) => ({ status, type, headers, name, value }))
    return named.length > 0 ? named : [{ status, headers }]
  })
}

function unknownPreference(id: OperationId, asked: readonly (string | undefined)[]): Problem {
  const what = asked.filter(Boolean).join(', ').slice(0, 100)
  const there = listed(id).map(({ status, name }) => (name ? `code=${status}, example=${name}` : `code=${status}`))
  return new Problem(
    'invalid-preference',
    `Failed to apply 'Prefer: ${what}': because the contract has no such answer to ${id}. It has ${there.join('; ')}.`,
  )
}

function delayOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= longestDelay) return Number(text)
  throw new Problem(
    'invalid-preference',
    `Failed to apply 'Prefer: delay': because it is not a number of milliseconds from 0 to ${longestDelay}. Send such a number.`,
  )
}
