import type { StreamRecord } from './records.ts'

/** Records to append to the stream of a tenant. */
export interface Addition {
  readonly tenantId: string
  /** The number of records that the stream must have had so far, since it began. */
  readonly after: number
  readonly records: readonly StreamRecord[]
  /** The time of the tenant's next alarm by the real clock, in milliseconds since 1970; undefined if there is none. */
  readonly due: number | undefined
  /** True if the tenant has a world after these records. */
  readonly isOpen: boolean
  /** The number of records that the stream of all tenants must have, if the addition rests on them. */
  readonly defaultsAt?: number | undefined
}

/** Reads and writes streams. Each method rejects with an `UnavailableError` if that is not possible now. */
export interface Channel {
  /** Passes the records after a position to `take`, in parts. Resolves with the number of records that the stream has had so far. */
  read(
    tenantId: string,
    after: number,
    take: (records: readonly StreamRecord[], later: number) => void,
  ): Promise<number>
  /** Appends records, all or none. Resolves with false if the stream is longer than `after` by now, or the defaults are. */
  append(addition: Addition): Promise<boolean>
}

/**
 * Streams of records that several mocks share: one for each tenant, and one with an empty name for all of them. A position in a
 * stream is given out once, also after a reset. The database decides who is first; a mock only ever proposes.
 */
export interface Stream extends Channel {
  /** Signs upload URLs. */
  readonly secret: string
  /** Returns the number of records that a stream has had, as it is at some time after the call. */
  length(tenantId: string): Promise<number>
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
