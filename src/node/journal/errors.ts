import { ArchiveError } from '../../world/archive.ts'

/** The first line of a journal that is not as it was written. */
export interface Damage {
  /** Counted from 1. */
  readonly line: number
  /** Where the line begins, in bytes. */
  readonly offset: number
  /** Ends the sentence "line 3 ...". */
  readonly reason: string
}

/** Refuses to open a damaged journal; `journalRepair` would keep the lines before the damage. */
export class DamagedJournalError extends ArchiveError {
  constructor(path: string, { line, reason }: Damage) {
    super(`${path} is damaged: line ${line} ${reason}. Put back a copy, or repair it.`)
  }
}

export function cannotWrite(path: string, error: unknown): ArchiveError {
  return new ArchiveError(`Cannot write ${path}: ${reasonOf(error)}. Make room, then try again.`)
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the system refused something, such as for lack of space or rights. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
