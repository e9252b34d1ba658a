import type { RecordedEvent } from './events.ts'

/** An archive that cannot be read or written; the message says why and what to do. */
export class ArchiveError extends Error {}

/** Takes the bytes of one object as they arrive; ends with one of the other two. */
export interface Spool {
  add(chunk: Uint8Array): void
  /** Keeps them under their digest. */
  keep(sha256: string): void
  drop(): void
}

/** Keeps journals and objects beyond the life of the mock. What it throws stops the command, and then nothing has changed. */
export interface Archive {
  /** What has happened to a tenant before. */
  past(tenantId: string): readonly RecordedEvent[]
  /** The bytes with a digest; nothing where they are lost. */
  bytes(sha256: string): Uint8Array | undefined
  append(tenantId: string, events: readonly RecordedEvent[]): void
  spool(): Spool
  /** Forgets what has happened to a tenant. */
  forget(tenantId: string): void
}

/** Keeps nothing. */
export const noArchive: Archive = {
  past: () => [],
  bytes: () => undefined,
  append() {},
  spool: () => ({ add() {}, keep() {}, drop() {} }),
  forget() {},
}
