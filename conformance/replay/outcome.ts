/** Reads the outcome of a call, as far as all deployments show it alike: formats and statuses of refusals are not documented. */
import { operations } from '../../src/contract/operations.ts'
import { describeAnswer, describeRefusal, type Exchange, succeeded } from '../wire/exchange.ts'

/** Storage may accept a file with another answer than the document states. */
export type CallOutcome = 'accepted' | 'accepted with another answer' | 'refused' | 'failed'

/** Returns the outcome of a call. A refusal may have any status of success too, with an error in its body. */
export function outcomeOf(exchange: Exchange): CallOutcome {
  if (succeeded(exchange)) return isStated(exchange) ? 'accepted' : 'accepted with another answer'
  return exchange.status >= 500 ? 'failed' : 'refused'
}

/** Returns true unless the document states another answer: storage answers 200 without a body (interface.md section 4.5). */
function isStated({ request, status, bytes }: Exchange): boolean {
  return request.method !== operations.putObject.method || (status === 200 && bytes.byteLength === 0)
}

/** Returns true if an answer says that what was asked for is not ready yet (RFC 9110 section 15.3.3). */
export function isPending({ request, status, headers }: Exchange): boolean {
  return request.method === 'GET' && status === 202 && headers.has('Retry-After')
}

/** Describes the outcome of a call in a few words. */
export function describeOutcome(exchange: Exchange): string {
  const outcome = outcomeOf(exchange)
  const text = outcome.startsWith('accepted') ? describeAnswer(exchange) : describeRefusal(exchange)
  const size = exchange.bytes.byteLength
  const body = outcome === 'accepted with another answer' && size > 0 ? ` and ${size} bytes` : ''
  return `${outcome} (${text.slice(text.indexOf(' answered ') + 1)}${body})`
}
