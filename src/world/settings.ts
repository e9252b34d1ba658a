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

/** The behaviour of a world. */
export interface Settings {
  readonly approvers: ApproverMode
  /** The delay of every answer to a call with a key, in real milliseconds. */
  readonly latency: { readonly minMs: number; readonly maxMs: number }
  readonly faults: readonly Fault[]
}

export const defaultSettings: Settings = { approvers: 'auto', latency: { minMs: 0, maxMs: 0 }, faults: [] }

/** Throws a `RangeError` if a setting is out of range. */
export function mustBeSound({ approvers, latency: { minMs, maxMs }, faults }: Settings): void {
  if (!approverModes.includes(approvers)) {
    throw new RangeError(`approvers is '${approvers}'. Use one of ${approverModes.join(', ')}.`)
  }
  if (!(minMs >= 0 && minMs <= maxMs && maxMs <= 60_000)) {
    throw new RangeError(
      `latency is from ${minMs} to ${maxMs} ms. Set a range within 0 to 60000 ms, the lower end first.`,
    )
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
