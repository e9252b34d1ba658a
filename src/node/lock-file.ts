import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ArchiveError } from '../world/archive.ts'
import { openOrExplain, reasonOf } from './journal/errors.ts'

/** The function of `fs-native-extensions` that is used here; the package has no types. */
interface FileLocks {
  /** Returns false if another open file description has the lock. */
  tryLock(file: number, offset?: number, length?: number): boolean
}

/** A file that is open for reading and appending. */
export interface OpenFile {
  readonly file: number
  /** Closes it, and so releases its lock. Later calls have no effect. */
  readonly release: () => void
}

const require = createRequire(import.meta.url)

const advice = 'Choose a file that can be written, in a folder that exists.'

/** On Windows, a byte beyond any journal is locked, since Windows refuses reads and writes of a locked range. */
const farAway = 2 ** 62

/**
 * Opens a file and locks it for one mock. Creates an empty file if there is none. Throws an `ArchiveError` with the message
 * `isTaken` if another mock has the lock, or another one if the file cannot be locked.
 *
 * The kernel locks the file itself, not its name, and releases the lock when the process ends, even after a crash. A second
 * lock is refused through every symbolic or hard link, in every process, container and thread, including this one.
 *
 * To replace a locked file: write the new one under another name, `lock` it there, rename it over the old one, and only then
 * release the old lock. A mock that opened the old file in the meantime notices the rename, and tries the new file.
 */
export function lock(
  path: string,
  isTaken = `Another mock has the journal ${path} open. Stop it, or choose another file.`,
): OpenFile {
  for (;;) {
    const open = openOrExplain(path, () => openUnlocked(path), advice)
    try {
      if (!openOrExplain(path, () => tryToLock(open.file), 'Choose a file on a disk that supports locks.')) {
        throw new ArchiveError(isTaken)
      }
      if (isAt(path, identityOf(open.file))) return open
    } catch (error) {
      open.release()
      throw error
    }
    open.release()
  }
}

/** Opens a file as `lock` does, without a lock. */
export function openUnlocked(path: string): OpenFile {
  // 'a+' creates a missing file, leaves an existing one unchanged, and may write, as an exclusive lock requires.
  const file = openSync(path, 'a+')
  return { file, release: runOnce(() => closeSync(file)) }
}

/** What tells a file from all others on this machine, whatever its names are. */
export type Identity = Pick<BigIntStats, 'dev' | 'ino'>

/** Returns the identity of an open file. */
export function identityOf(file: number): Identity {
  return fstatSync(file, { bigint: true })
}

/** Checks whether a path leads to a file, and not to a replacement. */
export function isAt(path: string, { dev, ino }: Identity): boolean {
  const named = statSync(path, { bigint: true, throwIfNoEntry: false })
  return named?.ino === ino && named.dev === dev
}

/** Wraps a function so that only its first call has an effect. Closing a descriptor twice could close another file. */
function runOnce(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

function tryToLock(file: number): boolean {
  const { tryLock } = loadLocks()
  try {
    return process.platform === 'win32' ? tryLock(file, farAway, 1) : tryLock(file)
  } catch (error) {
    // Windows reports EBUSY instead of EAGAIN.
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false
    throw error
  }
}

/** Loads the native package only if a journal is opened, so that a mock without one starts without native code. */
function loadLocks(): FileLocks {
  try {
    return require('fs-native-extensions')
  } catch (error) {
    throw new ArchiveError(
      `Journals and folders of objects cannot be locked on ${process.platform}-${process.arch}: ${reasonOf(error)}. Install the optional package fs-native-extensions, or start without them.`,
    )
  }
}
