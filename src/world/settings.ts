import type { ApproverMode } from './approvers.ts'

/** A call that fails now and then. */
export interface Fault {
  /** Share of the calls that fail, from 0 to 1. */
  readonly probability: number
  /** What they are answered with, from 400 to 599. */
  readonly status: number
  /** Which call; every call where it is absent. */
  readonly operationId?: string
}

/** How a world behaves. */
export interface Settings {
  readonly approvers: ApproverMode
  /** Every answer waits so long, in real milliseconds. */
  readonly latency: { readonly minMs: number; readonly maxMs: number }
  readonly faults: readonly Fault[]
}

export const defaultSettings: Settings = { approvers: 'auto', latency: { minMs: 0, maxMs: 0 }, faults: [] }
