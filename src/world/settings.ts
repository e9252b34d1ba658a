import { type ApproverMode, approverModes } from './approvers.ts'

/** Makes a share of the calls fail. */
export interface Fault {
  /** Share of the calls that fail, from 0 to 1. */
  readonly probability: number
  /** The status of the answer, from 400 to 599. */
  readonly status: number
  /** The call that fails. @default every call */
  readonly operationId?: string
}

/** The delay of answers, in real milliseconds. Without percentiles, every delay of the range is equally likely. */
export interface Latency {
  /** The shortest delay. */
  readonly minMs: number
  /** The longest delay, up to 60,000. */
  readonly maxMs: number
  /** The median. Needs `p99Ms`; delays then have a log-normal distribution, cut off at the ends of the range. @default none */
  readonly p50Ms?: number
  /** The delay that 99 of 100 answers do not exceed. @default none */
  readonly p99Ms?: number
}

/** The behaviour of a world. */
export interface Settings {
  readonly approvers: ApproverMode
  /** The delay of every answer to a call with a key. */
  readonly latency: Latency
  readonly faults: readonly Fault[]
  /** The calls of the service that a tenant may send in a second; 0 for any number. @default 0 */
  readonly rateLimit?: number
}

export const defaultSettings: Settings = { approvers: 'auto', latency: { minMs: 0, maxMs: 0 }, faults: [] }

/** Throws a `RangeError` if a setting is out of range. */
export function mustBeSound({ approvers, latency, faults, rateLimit = 0 }: Settings): void {
  if (!approverModes.includes(approvers)) {
    throw new RangeError(`approvers is '${approvers}'. Use one of ${approverModes.join(', ')}.`)
  }
  mustBeSoundLatency(latency)
  if (rateLimit !== 0 && !(rateLimit >= 0.001 && rateLimit <= 1_000_000)) {
    throw new RangeError(`rateLimit is ${rateLimit}. Set calls per second from 0.001 to 1000000, or 0 for no limit.`)
  }
  for (const { probability, status } of faults) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new RangeError(`A fault has the probability ${probability}. Set one from 0 to 1.`)
    }
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new RangeError(`A fault has the status ${status}. Set one from 400 to 599.`)
    }
  }
}

function mustBeSoundLatency({ minMs, maxMs, p50Ms, p99Ms }: Latency): void {
  if (!(minMs >= 0 && minMs <= maxMs && maxMs <= 60_000)) {
    throw new RangeError(
      `latency is from ${minMs} to ${maxMs} ms. Set a range within 0 to 60000 ms, the lower end first.`,
    )
  }
  if (p50Ms === undefined && p99Ms === undefined) return
  if (p50Ms !== undefined && p99Ms !== undefined && p50Ms > 0 && minMs <= p50Ms && p50Ms <= p99Ms && p99Ms <= maxMs)
    return
  throw new RangeError(
    `latency has the percentiles p50 ${p50Ms} and p99 ${p99Ms} ms. Set both, above 0 and within ${minMs} to ${maxMs} ms, p50 first.`,
  )
}
