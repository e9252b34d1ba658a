import type { LogRecord } from '../archive.ts'

/** A place in a stream. Two are the same if their appends are, since each append names the one before it. */
export interface Position {
  /** The number of records that the stream has had so far. */
  readonly at: number
  /** A UUID that was drawn at random for the append that stored the last of them. */
  readonly batch: string
}

/** The position of a stream without records. */
export const start: Position = { at: 0, batch: '00000000-0000-0000-0000-000000000000' }

/** Records to append to the stream of a tenant. */
export interface Addition {
  readonly tenantId: string
  /** Where the stream must be. */
  readonly after: Position
  readonly records: readonly StreamRecord[]
  /** The time of the tenant's next alarm by the real clock, in milliseconds since 1970; undefined if there is none. */
  readonly due: number | undefined
  /** True if the tenant has a world after these records. */
  readonly isOpen: boolean
  /** Where the stream of all tenants must be, if the addition rests on it. */
  readonly defaultsAt?: Position | undefined
}

/** Reads and writes streams. Each method rejects with an `UnavailableError` if that is not possible now. */
export interface Channel {
  /**
   * Passes the records after a position to `take`, in parts. Resolves with the position of the stream; undefined, with a warning, if
   * the stream has gone back and no longer has that position.
   */
  read(
    tenantId: string,
    after: Position,
    take: (records: readonly StreamRecord[], later: number) => void,
  ): Promise<Position | undefined>
  /**
   * Appends records, all or none. Resolves with the new position; undefined if the stream is not at `after`, or the defaults are
   * elsewhere. Warns if the stream has gone back.
   */
  append(addition: Addition): Promise<Position | undefined>
}

/**
 * Streams of records that several mocks share: one for each tenant, and one with an empty name for all of them. The database decides
 * who is first; a mock only ever proposes. A stream may go back, if a backup is restored or a replica takes over that is behind.
 */
export interface Stream extends Channel {
  /** Signs upload URLs. */
  readonly secret: string
  /** Returns the position of a stream, as it is at some time after the call. */
  position(tenantId: string): Promise<Position>
  /**
   * Calls `use` while no other mock is in the same section for this tenant, and resolves with true. If one is, waits for it, or
   * resolves with false at once. The section only saves work: `append` checks what it is given in any case.
   */
  exclusively(tenantId: string, waits: boolean, use: (channel: Channel) => Promise<void>): Promise<boolean>
  /** Returns all tenants that have a world. */
  tenants(): Promise<readonly string[]>
  /** Returns some tenants whose next alarm was due before a time, in milliseconds since 1970. */
  overdue(before: number): Promise<readonly string[]>
  /** Calls `listener` with tenants whose streams another mock may have appended to. */
  onNews(listener: (tenantId: string) => void): void
}

/** A record in the stream of a tenant. */
export type StreamRecord =
  | LogRecord
  /** Everything before is gone. */
  | { readonly forget: true }
  /** The scenario of new worlds; only in the stream of all tenants. */
  | { readonly scenario: string }
