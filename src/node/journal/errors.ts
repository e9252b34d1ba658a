import { ArchiveError } from '../../world/archive.ts'

/** The first damaged line of a journal. */
export interface Damage {
  /** Counted from 1. */
  readonly line: number
  /** Start of the line, in bytes. */
  readonly offset: number
  /** Completes the sentence "line 3 ...". */
  readonly reason: string
}

/** The journal is damaged and is not opened. With `journalRepair`, the lines before the damage are kept. */
export class DamagedJournalError extends ArchiveError {
  constructor(path: string, { line, reason }: Damage) {
    super(`${path} is damaged: line ${line} ${reason}. Put back a copy, or repair it.`)
  }
}

/** Creates the error for a file that cannot be written. */
export function cannotWrite(path: string, error: unknown): ArchiveError {
  return new ArchiveError(
    `Cannot write ${path}: ${reasonOf(error)}. Free some disk space or fix its permissions, then try again.`,
  )
}

/** Returns the message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Checks for an error of the operating system, such as a full disk or missing permissions. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
