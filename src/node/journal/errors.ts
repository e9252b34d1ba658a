import { ArchiveError, UnavailableError } from '../../world/archive.ts'

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

/** Creates the error for a journal that cannot be written now. */
export function cannotWrite(path: string, error: unknown): UnavailableError {
  return new UnavailableError(describeFailure(`Cannot write ${path}`, error, 'Make it writable, then try again.'))
}

/** The folder of objects cannot be read or written now. */
export class FolderError extends UnavailableError {
  override readonly code: 'store-unavailable' | 'store-full'

  constructor(
    folder: string,
    error: unknown,
    otherwise = 'Make it readable and writable for the mock, then try again.',
  ) {
    super(describeFailure(`The folder of objects ${folder} cannot be used`, error, otherwise))
    this.code = advice[codeOf(error)] === freeSpace ? 'store-full' : 'store-unavailable'
  }
}

/** Says what failed, why, and what to do: `otherwise`, unless the system's error has an advice of its own. */
export function describeFailure(what: string, error: unknown, otherwise: string): string {
  return `${what}: ${reasonOf(error).replace(/\.$/, '')}. ${advice[codeOf(error)] ?? otherwise}`
}

const freeSpace = 'Free some space on its disk, then try again.'
const closeFiles = 'Raise the limit of open files (ulimit -n), or send fewer requests at once.'

/** What to do about errors that have the same cause whatever the file is. */
const advice: Readonly<Partial<Record<string, string>>> = {
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EFBIG: freeSpace,
  EMFILE: closeFiles,
  ENFILE: closeFiles,
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}

/** Returns the message of an error, or its name. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : String(error)
}

/** Returns why a connection failed. Node hides it in the cause of an error, or in the first of several, one for each address. */
export function causeOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : undefined
  return inner === undefined ? reasonOf(error) : causeOf(inner)
}

/** Checks for an error of the operating system, such as a full disk or missing permissions. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** Returns true if a call of the system failed because a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT'
}

/** Returns what `read` returns; undefined if the file or folder does not exist. */
export function ifThere<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Opens a journal or a related file. Throws an `ArchiveError` that says why it cannot be opened, and what to do. */
export function openOrExplain<T>(path: string, open: () => T, advice: string): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError(describeFailure(`Cannot open ${path}`, error, advice))
  }
}

/** Resolves with a package that few mocks need. Rejects with an `ArchiveError` if it is not installed. */
export async function installed<Package>(name: string, loading: Promise<Package>): Promise<Package> {
  try {
    return await loading
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ArchiveError(`The package ${name} is not installed. Install it: npm install ${name}`)
  }
}
