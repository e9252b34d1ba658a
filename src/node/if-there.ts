import { isSystemError } from './journal/errors.ts'

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
