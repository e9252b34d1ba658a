import { DomainError } from '../domain/errors.ts'
import { ArchiveError, UnavailableError } from '../world/archive.ts'
import { storagePrefix } from './storage/storage.ts'
import { StorageError, storageErrorOf } from './storage/storage-error.ts'
import { type AnswerError, Interrupted } from './wire/exchange.ts'
import { isProblemCode, Problem } from './wire/problem.ts'

/**
 * Returns a function that answers what was thrown for a request: as storage does for its own, and with a problem for any other. It
 * calls `onFault` with errors that are the mock's own.
 */
export function errorAnswers(onFault: (error: unknown) => void): AnswerError {
  return (error, { path, operationId }) => {
    const isStorage = operationId === 'putObject' || path.startsWith(storagePrefix)
    const expected = isStorage ? storageErrorOf(error) : problemOf(error)
    if (expected) return expected.toOutgoing(path)
    onFault(error)
    const detail =
      error instanceof ArchiveError ? error.message : 'The mock had an internal error. See its log for details.'
    return isStorage
      ? new StorageError('InternalError', detail).toOutgoing(path)
      : new Problem('internal-error', detail).toOutgoing()
  }
}

/** Returns what was thrown as a problem; undefined for an error of the mock's own. */
function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof Interrupted) return new Problem('invalid-request', error.message)
  if (error instanceof DomainError && isProblemCode(error.code)) return new Problem(error.code, error.message)
  if (!(error instanceof UnavailableError)) return undefined
  return new Problem(error.code, error.message, { headers: { 'Retry-After': '1' } })
}
