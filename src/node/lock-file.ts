import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ArchiveError } from '../world/archive.ts'
import { opening } from './opening.ts'

/** The one function of `fs-native-extensions` that is used here; the package has no types. */
interface FileLocks {
  /** Returns false if another open file description has the lock. */
  tryLock(file: number, offset?: number, length?: number): boolean
}

const require = createRequire(import.meta.url)

const advice = 'Choose a file that can be written, in a folder that exists.'

/** Windows refuses reads and writes of a locked range, so lock a byte that no journal reaches. */
const farAway = 2 ** 62

/**
 * Locks a file for one mock and returns a function that releases it, which may be called again. Creates an empty file if there
 * is none. Throws an `ArchiveError` if somebody else has the lock, or if the file cannot be locked.
 *
 * The kernel holds the lock on the file itself, not on a name of it, and drops it when its holder ends, however it ends. A
 * second lock is refused through every symbolic or hard link, in every process, container and thread, and in this one.
 *
 * To replace a locked file: write the new one under another name, `lock` it there, rename it over the old one, and release
 * the old lock only then. Whoever opened the old file meanwhile notices that its name has moved on, and tries the new one.
 */
export function lock(path: string): () => void {
  for (;;) {
    // 'a+' creates what is missing, changes nothing, and may write, as an exclusive lock requires.
    const file = opening(path, () => openSync(path, 'a+'), advice)
    try {
      if (!opening(path, () => tryToLock(file), 'Choose a file on a disk that supports locks.')) {
        throw new ArchiveError(`Another mock has the journal ${path} open. Stop it, or choose another file.`)
      }
      if (isStillAt(path, file)) return once(() => closeSync(file))
    } catch (error) {
      closeSync(file)
      throw error
    }
    closeSync(file)
  }
}

/** Closing a number twice could close somebody else's file. */
function once(act: () => void): () => void {
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
    // What Windows says instead of EAGAIN.
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false
    throw error
  }
}

/** Loads the locks only when a journal is opened, so that a mock without one starts without native code. */
function loadLocks(): FileLocks {
  try {
    return require('fs-native-extensions')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ArchiveError(
      `Journals cannot be locked on ${process.platform}-${process.arch}: ${reason}. Install the optional package fs-native-extensions, or start without a journal.`,
    )
  }
}

/** Returns whether a path still names an open file, and not one that has replaced it. */
function isStillAt(path: string, file: number): boolean {
  const named = statSync(path, { bigint: true, throwIfNoEntry: false })
  const open = fstatSync(file, { bigint: true })
  return named?.ino === open.ino && named.dev === open.dev
}
