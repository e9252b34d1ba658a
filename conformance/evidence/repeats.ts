import { isEmpty } from '../reading/places.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, sentBody } from './evidence.ts'

/** What the run creates, by the beginning of its steps' names, and the member whose value differs in each request for one. */
const created = { create: 'name', 'request upload': 'file_name' } as const

/** The ends of the names of steps that create something for another tenant, or for none. */
const ofOthers = ['as second tenant', 'without key']

/**
 * Returns the first answer that shows an identifier which an earlier answer has shown for something else, among all attempts of
 * the run. One such pair is a complete proof, even if later answers differ. Another tenant may have the same identifiers.
 */
export function repeatedIdentifier(
  evidence: Evidence,
  what: keyof typeof created,
  identifierIn: (answer: Exchange) => unknown,
): { readonly exchange: Recorded; readonly value: string } | undefined {
  const known = new Map<string, unknown>()
  for (const exchange of evidence.answers) {
    const { step = '' } = exchange.label ?? {}
    if (!step.startsWith(`${what} `) || ofOthers.some((end) => step.endsWith(end)) || !succeeded(exchange)) continue
    const sent = sentBody<Record<string, unknown>>(exchange)[created[what]]
    const identifier = identifierIn(exchange)
    if (isEmpty(identifier)) continue
    const value = String(identifier)
    if (known.has(value) && known.get(value) !== sent) return { exchange: evidence.recorded(exchange), value }
    known.set(value, sent)
  }
  return undefined
}
