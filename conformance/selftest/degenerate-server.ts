import type { ServerFunction } from './wrapper.ts'

/** A server that is not a deployment of the API at all. A run against it must never conform. */
export interface Degenerate {
  readonly id: string
  /** Describes its behaviour in one sentence. */
  readonly does: string
  create(): ServerFunction
}
