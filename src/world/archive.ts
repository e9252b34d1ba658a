import type { RecordedEvent } from './events.ts'
import type { Work } from './slices.ts'

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
  /** Whose past it has. */
  tenants(): readonly string[]
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
  tenants: () => [],
  past: () => [],
  bytes: () => undefined,
  append() {},
  spool: () => ({ add() {}, keep() {}, drop() {} }),
  forget() {},
}

/**
 * An archive that is given what happens before `settle` in one piece, and then goes on as usual. A world that cannot be
 * opened leaves no half of its beginning behind, which would stand there twice when it is opened again.
 */
export function appendedAtOnce(archive: Archive, tenantId: string): { archive: Archive; settle: () => void } {
  // Nobody keeps them; a long scenario would fill the memory with its events.
  if (archive === noArchive) return { archive, settle() {} }
  const early: RecordedEvent[] = []
  let isSettled = false
  return {
    archive: {
      tenants: () => archive.tenants(),
      past: (id) => archive.past(id),
      bytes: (sha256) => archive.bytes(sha256),
      append(id, events) {
        if (isSettled) archive.append(id, events)
        else early.push(...events)
      },
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
