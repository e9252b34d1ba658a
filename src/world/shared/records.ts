import type { LogRecord } from '../archive.ts'

/** A record in the stream of a tenant. */
export type StreamRecord =
  | LogRecord
  /** Everything before is gone. */
  | { readonly forget: true }
  /** The scenario of new worlds; only in the stream of all tenants. */
  | { readonly scenario: string }
