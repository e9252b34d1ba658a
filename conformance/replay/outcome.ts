/** Reads the outcome of a call, as far as all deployments show it alike: formats and statuses of refusals are not documented. */
import { describeAnswer, describeRefusal, type Exchange, succeeded } from '../wire/exchange.ts'

export type CallOutcome = 'accepted' | 'refused' | 'failed'

/** Returns the outcome of a call. A refusal may have any status of success too, with an error in its body. */
export function outcomeOf(exchange: Exchange): CallOutcome {
  if (succeeded(exchange)) return 'accepted'
  return exchange.status >= 500 ? 'failed' : 'refused'
}

/** Returns true if an answer says that what was asked for is not ready yet (RFC 9110 section 15.3.3). */
export function isPending({ request, status, headers }: Exchange): boolean {
  return request.method === 'GET' && status === 202 && headers.has('Retry-After')
}

/** Describes the outcome of a call in a few words. */
export function describeOutcome(exchange: Exchange): string {
  const outcome = outcomeOf(exchange)
  const text = outcome === 'accepted' ? describeAnswer(exchange) : describeRefusal(exchange)
  return `${outcome} (${text.slice(text.indexOf(' answered ') + 1)})`
}
