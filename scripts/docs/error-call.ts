import type { ShellCall } from './shell.ts'

/** A sequence of calls, of which the last causes one error. */
export interface ErrorCall {
  /** The operation that answers, or `any` if the error does not belong to an operation. */
  readonly operationId: string
  readonly status: number
  /** The `code` of a problem, or the `Code` of a storage error. */
  readonly code: string
  /** Describes the mistake in the last call: a sentence without a subject. */
  readonly wrong: string
  readonly calls: readonly ShellCall[]
  /** True if the mock's memory must be full once it has one tenant. @default false */
  readonly needsFullMemory?: boolean
}
