import type { GapId } from '../../catalogue/catalogue.ts'
import type { Flow } from '../../flow/flow.ts'
import { type Exchange, succeeded } from '../../wire/exchange.ts'

/** Looks at what a deployment does where the document is silent; judges nothing. */
export interface Observer {
  readonly id: GapId
  /** What the reference does, as `observe` puts it. */
  readonly ours: string
  readonly observe: (flow: Flow) => Promise<string>
}

/** How a call was answered, in the fewest words. */
export function outcome(exchange: Exchange): string {
  return succeeded(exchange) ? 'accepted' : `status ${exchange.status}`
}

/** The names of an answer's own members. */
export function memberNames({ json }: Exchange): string {
  if (json === null || typeof json !== 'object') return 'no members'
  return Object.keys(json).sort().slice(0, 20).join(', ') || 'no members'
}
