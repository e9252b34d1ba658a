import { ArchiveError } from '../world/archive.ts'

/** Opens a journal or a related file. Throws an `ArchiveError` that says why it cannot be opened, and what to do. */
export function openOrExplain<T>(path: string, open: () => T, advice: string): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ArchiveError(`Cannot open ${path}: ${reason}. ${advice}`)
  }
}
