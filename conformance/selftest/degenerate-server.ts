import type { ServerFunction } from './wrapper.ts'

/** A server that is no sound deployment in any way; a run against it may not come out as conforming. */
export interface Degenerate {
  readonly id: string
  /** What it does, in one sentence. */
  readonly does: string
  create(): ServerFunction
}
