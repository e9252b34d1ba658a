import { UnavailableError } from '../../world/archive.ts'
import { reasonOf } from '../journal/errors.ts'

/** The folder of objects cannot be read or written now. */
export class FolderError extends UnavailableError {
  override readonly code: 'store-unavailable' | 'store-full'

  constructor(folder: string, error: unknown) {
    const isFull = full.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')
    const advice = isFull
      ? 'Free some space on its disk, then try again.'
      : 'Make it readable and writable for the mock, then try again.'
    super(`The folder of objects ${folder} cannot be used: ${reasonOf(error).replace(/\.$/, '')}. ${advice}`)
    this.code = isFull ? 'store-full' : 'store-unavailable'
  }
}

/** The disk is full, or the quota of the user, or a file may not become so large. */
const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
