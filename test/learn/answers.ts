import type { TimedExchange } from '../../conformance/session/calls.ts'
import { exchangeOf } from '../support/exchange.ts'

/** Returns a successful answer of a session. */
export function answerTo(
  call: 'createWorkflow' | 'getWorkflow',
  json: unknown,
): TimedExchange & { readonly name: string } {
  const all = 'http://there.test/api/v1/workflows'
  const sent = call === 'getWorkflow' ? { url: `${all}/7` } : { method: 'POST', url: all }
  return exchangeOf(sent, { name: call, status: 201, json, at: 0 })
}
