import { examples } from '../../contract/examples.gen.ts'
import type { OperationId } from '../../contract/operations.ts'
import { type Incoming, jsonAnswer, type Outgoing } from './exchange.ts'
import { faultAnswer, Problem } from './problem.ts'

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

/** Returns the contract's example that the client prefers, without any other effect. Returns undefined without such a preference. */
export function preferredAnswer(id: OperationId, { code, example }: Preferences): Outgoing | undefined {
  if (code === undefined && example === undefined) return undefined
  const fits = ({ status, name }: ExampleAnswer) => (code ?? status) === status && (example ?? name) === name
  const found = exampleAnswers(id).find(fits)
  if (!found && example === undefined && /^5\d\d$/.test(code ?? '')) return preferredFault(Number(code))
  if (!found) throw unknownPreference(id, [code && `code=${code}`, example && `example=${example}`])
  const { status, name, type, value } = found
  const headers = { ...found.headers, 'Preference-Applied': `code=${status}${name ? `, example=${name}` : ''}` }
  if (typeof value !== 'string') return jsonAnswer(Number(status), value, headers, type)
  const all = { ...headers, ...(type && { 'Content-Type': type }) }
  return { status: Number(status), headers: Object.entries(all), body: value }
}

/** Answers with a server error that is not in the contract, such as 500, so that clients can test it. */
function preferredFault(status: number): Outgoing {
  const fault = faultAnswer(status, `The request asked for this error with 'Prefer: code=${status}'.`)
  return { ...fault, headers: [...fault.headers, ['Preference-Applied', `code=${status}`]] }
}

/** An example answer of the contract. An empty body has neither name nor value. */
interface ExampleAnswer {
  readonly status: string
  readonly type?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly name?: string
  readonly value?: unknown
}

function exampleAnswers(id: OperationId): ExampleAnswer[] {
  return Object.entries(examples[id]).flatMap(([status, { type, headers, examples }]): ExampleAnswer[] => {
    const values = Object.entries(examples)
    const named = values.map(([name, value]) => ({ status, type, headers, name, value }))
    return named.length > 0 ? named : [{ status, headers }]
  })
}

function unknownPreference(id: OperationId, asked: readonly (string | undefined)[]): Problem {
  const what = asked.filter(Boolean).join(', ').slice(0, 100)
  const known = exampleAnswers(id).map(({ status, name }) =>
    name ? `code=${status}, example=${name}` : `code=${status}`,
  )
  return new Problem(
    'invalid-preference',
    `The contract has no answer with ${what} for ${id}. Use one of: ${known.join('; ')}.`,
  )
}

function delayOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= longestDelay) return Number(text)
  throw new Problem(
    'invalid-preference',
    `The preferred delay is not a whole number from 0 to ${longestDelay}. Send milliseconds in this range, such as delay=800.`,
  )
}
