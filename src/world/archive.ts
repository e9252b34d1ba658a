import type { ApproverMode } from './approvers.ts'
import type { ClockReading } from './clock-reading.ts'
import type { RecordedEvent } from './events.ts'
import type { Files } from './files.ts'
import type { Settings } from './settings.ts'
import type { Work } from './slices.ts'

/** An archive cannot be read or written. The message says why, and what to do. */
export class ArchiveError extends Error {}

/** The archive cannot be reached or written now. The same call may work later. */
export class UnavailableError extends ArchiveError {
  readonly code: 'journal-unavailable' | 'outcome-unknown' | 'store-unavailable' | 'store-full' = 'journal-unavailable'
}

/** The archive was lost during a write, so it is unknown whether it has what was written. */
export class UncertainError extends UnavailableError {
  override readonly code = 'outcome-unknown'
}

/** The state of a tenant's world before its first event. */
export interface Beginning {
  /** The name of the scenario. */
  readonly scenario: string
  /** The time at which the clock stands, in milliseconds since 1970. */
  readonly at: number
  readonly approvers: ApproverMode
  /** Differs from that of all earlier worlds of the tenant. */
  readonly generation: string
}

/** A record that was damaged. `reason` completes the sentence "the entry of event 3 ...". */
export interface Unreadable {
  readonly unreadable: string
}

/** A record of a tenant, read back from an archive. */
export interface PastRecord {
  readonly tenantId: string
  readonly record: RecordedEvent | ClockReading | Unreadable
  /** The line of the archive that has the record, for messages. @default not named */
  readonly line?: number
  /** The number of later events of the same tenant in the archive. */
  readonly later: number
  /** For an `ExecutionCompleted`: the least number of later ones of the same workflow in the archive. @default 0 */
  readonly laterCompletions?: number
}

/** A record of a tenant. All of them, applied in order, make the tenant's world. */
export type LogRecord =
  | RecordedEvent
  /** The latest reading of the tenant's clock replaces the one before. */
  | { readonly clock: ClockReading }
  /** The beginning of the world, for mocks that follow it record by record. */
  | { readonly begin: Beginning }
  /** Settings that have changed at a time of the tenant's clock, for the same mocks. */
  | { readonly settings: Settings; readonly at: number }

/** Stores the records of tenants so that they outlive the mock. If a method throws, the command fails and changes nothing. */
export interface Archive {
  /** Signs upload URLs. @default drawn at the start */
  readonly secret?: string
  /** True if other mocks follow the records, and open worlds too. Only they need beginnings and settings. @default false */
  readonly isShared?: boolean
  /** Keeps the contents of objects. @default they are in memory alone */
  readonly files?: Files
  /** Passes all records to `take`: those of each tenant in their order. */
  read(take: (past: PastRecord) => void): void
  append(tenantId: string, records: readonly LogRecord[]): void
  /** Removes everything that belongs to a tenant. */
  forget(tenantId: string): void
}

/** An archive that stores nothing. */
export const noArchive: Archive = { read() {}, append() {}, forget() {} }

/** Runs work that follows from stored events. If the archive refuses its events, the next command does the work instead. */
export function* orLater(work: Work): Work {
  try {
    yield* work
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
  }
}
