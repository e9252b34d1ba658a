/** Replaces the keys of a session, of which a recording has placeholders or keys of another deployment. */
import { redacted } from '../../src/session/redact.ts'
import { outcomeOf } from './outcome.ts'
import type { SessionCall } from './turns.ts'

/** Tells what the `Authorization` header of a recorded call stands for. */
export type KeyUse =
  | { readonly kind: 'none' }
  /** A key of the session, counted from 0, behind a scheme such as `Bearer `. */
  | { readonly kind: 'key'; readonly index: number; readonly scheme: string }
  /** A key that was refused. */
  | { readonly kind: 'wrong'; readonly scheme: string }

const placeholder = /^\*\*\*key(?:-(\d+))?\*\*\*$/

/** Returns a function that says which key a call of a session was sent with. */
export function keyUses(calls: readonly SessionCall[]): (call: SessionCall) => KeyUse {
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
    if (key === undefined) return { kind: 'none' }
    const [, number] = placeholder.exec(key) ?? []
    if (placeholder.test(key)) return { kind: 'key', index: number === undefined ? 0 : Number(number) - 1, scheme }
    if (key === redacted.part && isOurs) return { kind: 'wrong', scheme }
    const index = order.indexOf(key)
    return index < 0 ? { kind: 'wrong', scheme } : { kind: 'key', index, scheme }
  }
}

function partsOf(headers: Headers): { scheme: string; key: string | undefined } {
  const value = headers.get('authorization')
  if (value === null || value === '') return { scheme: '', key: undefined }
  const [, scheme = '', key = ''] = /^((?:basic|bearer|digest|apikey|token) +)?(.*)$/is.exec(value) ?? []
  return { scheme, key }
}
