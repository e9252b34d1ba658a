import { ArchiveError } from '../world/archive.ts'
import { describeFailure } from './journal/errors.ts'

/** Opens a journal or a related file. Throws an `ArchiveError` that says why it cannot be opened, and what to do. */
export function openOrExplain<T>(path: string, open: () => T, advice: string): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError(describeFailure(`Cannot open ${path}`, error, advice))
  }
}
