/** Recognizes an address that leads to no service of this API, and a key that the service refuses. */
import { callAt } from '../../src/contract/call-at.ts'
import { describeRefusal, type Exchange, succeeded } from './exchange.ts'
import type { Unanswered } from './transport.ts'

/** The reason why the answers say nothing about a service. */
export interface NoService {
  /** True if the service refuses the key. It may still be sound. */
  readonly refusesKey: boolean
  /** What it answered, and what to do, without a full stop. */
  readonly why: string
}

/** Returns the reason why no service call was accepted; undefined if one was, or if none was answered. */
export function noServiceIn(log: readonly (Exchange | Unanswered)[]): NoService | undefined {
  const answers = log.filter((one): one is Exchange => {
    const { method, url } = one.request
    const call = callAt(method, url)
    return 'status' in one && method === 'POST' && call !== undefined && call !== 'putObject'
  })
  if (answers.length === 0 || answers.some(succeeded)) return undefined
  // Calls that are wrong on purpose may be refused for other reasons.
  const likeIt = ({ status }: Exchange) => answers.filter((other) => other.status === status).length
  const [first] = answers.toSorted((one, other) => likeIt(other) - likeIt(one))
  if (!first) return undefined
  const refusesKey = first.status === 401 || first.status === 403
  const advice = refusesKey
    ? 'Check that the key is valid for this deployment. If a gateway requires another header, set headers in the profile'
    : 'Check that this is the address of the API'
  return { refusesKey, why: `No call was accepted: ${describeRefusal(first)}. ${advice}` }
}
