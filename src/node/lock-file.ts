import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ArchiveError } from '../world/archive.ts'
import { opening } from './opening.ts'

const advice = 'Choose a file in a folder that is there.'

/** What this process has locked, by path. */
const mine = new Set<string>()

/**
 * Keeps a file for one mock, by a file beside it that says which process has it; gives what lets go of it. What a mock that
 * was killed has left behind does not count. Throws an `ArchiveError` that says who has it, or why it cannot be locked.
 */
export function lock(path: string): () => void {
  const at = `${locate(path)}.lock`
  if (!opening(path, () => take(at), advice)) {
    const owner = ownerOf(at)
    if (owner !== undefined) {
      throw new ArchiveError(
        `Failed to open ${path}: because another mock keeps its journal there (process ${owner}). Stop it, or choose another file with --journal.`,
      )
    }
    rmSync(at, { force: true })
    return lock(path)
  }
  mine.add(at)
  return () => {
    mine.delete(at)
    rmSync(at, { force: true })
  }
}

/** Takes a lock that nobody has; of two that try at once, one gets it. */
function take(at: string): boolean {
  try {
    writeFileSync(at, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    rmSync(at, { force: true })
    throw error
  }
}

/** The one path that all spellings of it mean. */
function locate(path: string): string {
  return opening(path, () => join(realpathSync(dirname(path)), basename(path)), advice)
}

/** The process that has a lock, if it is still there. */
function ownerOf(at: string): number | 'that is starting' | undefined {
  let text: string
  try {
    text = readFileSync(at, 'utf8')
  } catch {
    return undefined
  }
  if (text === '') return 'that is starting'
  const owner = Number(text)
  if (owner === process.pid) return mine.has(at) ? owner : undefined
  return isRunning(owner) ? owner : undefined
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
