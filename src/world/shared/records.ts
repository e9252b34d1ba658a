import type { Beginning } from '../archive.ts'
import type { ClockReading } from '../clock-reading.ts'
import type { RecordedEvent } from '../events.ts'
import type { Settings } from '../settings.ts'

/** A record in the stream of a tenant. All of them, applied in order, make the tenant's world. */
export type StreamRecord =
  | RecordedEvent
  | { readonly begin: Beginning }
  | { readonly clock: ClockReading }
  | { readonly settings: Settings; readonly at: number }
  /** Everything before is gone. */
  | { readonly forget: true }
  /** The scenario of new worlds; only in the stream of all tenants. */
  | { readonly scenario: string }
