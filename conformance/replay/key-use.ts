/** Replaces the keys of a session, of which a recording has placeholders or keys of another deployment. */
import { redacted } from '../../src/session/redact.ts'
import { outcomeOf } from './outcome.ts'
import type { SessionCall } from './turns.ts'

/** What the `Authorization` header of a recorded call stands for. */
export interface KeyUse {
  /** What is before the key, such as `Bearer `. */
  readonly scheme: string
  /** The number of the key in the session, from 0; undefined for a key that was refused. */
  readonly index: number | undefined
}

const placeholder = /^\*\*\*key(?:-(\d+))?\*\*\*$/

/** Returns a function that says which key a call of a session was sent with; undefined for none. */
export function keyUses(calls: readonly SessionCall[]): (call: SessionCall) => KeyUse | undefined {
  const accepted = new Map<string, number>()
  for (const { call, exchange } of calls) {
    const { key } = partsOf(exchange.request.headers)
    // Storage accepts any key, since it needs none.
    if (call === 'putObject' || key === undefined) continue
    if (outcomeOf(exchange) === 'accepted') accepted.set(key, (accepted.get(key) ?? 0) + 1)
  }
  const order = [...accepted].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
  const isOurs = order.some((key) => placeholder.test(key))
  return ({ exchange }) => {
    const { scheme, key } = partsOf(exchange.request.headers)
    if (key === undefined) return undefined
    const [named, number = 1] = placeholder.exec(key) ?? []
    const index = named === undefined ? order.indexOf(key) : Number(number) - 1
    return { scheme, index: index < 0 || (key === redacted.part && isOurs) ? undefined : index }
  }
}

function partsOf(headers: Headers): { scheme: string; key: string | undefined } {
  const value = headers.get('authorization')
  if (value === null || value === '') return { scheme: '', key: undefined }
  const [, scheme = '', key = ''] = /^((?:basic|bearer|digest|apikey|token) +)?(.*)$/is.exec(value) ?? []
  return { scheme, key }
}
