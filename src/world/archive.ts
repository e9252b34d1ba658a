import type { ClockReading } from './clock-reading.ts'
import type { RecordedEvent } from './events.ts'
import type { Work } from './slices.ts'

/** An archive that cannot be read or written; the message says why and what to do. */
export class ArchiveError extends Error {}

/** Takes the bytes of one object as they arrive. */
export interface Spool {
  add(chunk: Uint8Array): void
  /** Keeps them under their digest. */
  keep(sha256: string): void
  /** Ends it. Removes the bytes, unless they were kept and an upload refers to them. */
  drop(): void
}

/** Something that an archive kept of a tenant. */
export interface PastRecord {
  readonly tenantId: string
  readonly record: RecordedEvent | ClockReading
  /** How many later events of the tenant it kept. */
  readonly later: number
  /** With an `ExecutionCompleted`: at least how many later ones of the same workflow it kept. @default 0 */
  readonly laterCompletions?: number
}

/** Keeps journals and objects beyond the life of the mock. What it throws stops the command, and then nothing has changed. */
export interface Archive {
  /** Signs upload URLs. @default drawn at the start */
  readonly secret?: string
  /**
   * Passes what it has kept, in order and one at a time, to the function that `begin` returns. `begin` is called again if
   * the past turns out to be shorter than it was, and then all of it is passed again.
   */
  replay(begin: () => (past: PastRecord) => void): void
  /** Returns the bytes with a digest, or undefined if they are lost. */
  bytes(sha256: string): Uint8Array | undefined
  append(tenantId: string, events: readonly RecordedEvent[]): void
  /** Keeps the latest reading of a tenant's clock, in the place of the one before. */
  keepClock(tenantId: string, reading: ClockReading): void
  spool(): Spool
  /** Forgets all that was kept of a tenant. */
  forget(tenantId: string): void
}

/** Keeps nothing. */
export const noArchive: Archive = {
  replay() {},
  bytes: () => undefined,
  append() {},
  keepClock() {},
  spool: () => ({ add() {}, keep() {}, drop() {} }),
  forget() {},
}

/**
 * An archive that is given what happens before `settle` in one piece, and then goes on as usual. A world that cannot be
 * opened leaves no half of its beginning behind, which would be there twice when it is opened again.
 */
export function appendedAtOnce(archive: Archive, tenantId: string): { archive: Archive; settle: () => void } {
  // Nobody keeps them; a long scenario would fill the memory with its events.
  if (archive === noArchive) return { archive, settle() {} }
  const early: RecordedEvent[] = []
  let isSettled = false
  return {
    archive: {
      replay: (begin) => archive.replay(begin),
      bytes: (sha256) => archive.bytes(sha256),
      append(id, events) {
        if (isSettled) archive.append(id, events)
        else early.push(...events)
      },
      keepClock: (id, reading) => archive.keepClock(id, reading),
      spool: () => archive.spool(),
      forget: (id) => archive.forget(id),
    },
    settle() {
      archive.append(tenantId, early)
      isSettled = true
    },
  }
}

/** Does what follows from something that is kept already. Where it cannot be kept too, it is left to the next command. */
export function* orLater(work: Work): Work {
  try {
    yield* work
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
  }
}
