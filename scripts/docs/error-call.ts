import type { ShellCall } from './shell.ts'

/** Calls of which the last is answered with an error, for one reason. */
export interface ErrorCall {
  /** The operation that answers; `any` where it is no operation's. */
  readonly operationId: string
  readonly status: number
  /** The `code` of a problem, or the `Code` of a storage error. */
  readonly code: string
  /** What is wrong with the call. */
  readonly wrong: string
  readonly calls: readonly ShellCall[]
}
