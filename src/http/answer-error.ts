import { DomainError } from '../domain/errors.ts'
import { ArchiveError, UnavailableError } from '../world/archive.ts'
import { StorageError } from './storage/storage-error.ts'
import { storagePrefix } from './storage/storage-path.ts'
import { type AnswerError, type Context, Interrupted } from './wire/exchange.ts'
import { isProblemCode, Problem } from './wire/problem.ts'

/** A class of errors, and what the service and storage answer for them; undefined for a fault of the mock's own. */
interface Row<Thrown extends Error = Error> {
  readonly type: abstract new (...values: never[]) => Thrown
  service(error: Thrown): Problem | undefined
  storage(error: Thrown): StorageError
}

const row = <Thrown extends Error>(
  type: Row<Thrown>['type'],
  service: Row<Thrown>['service'],
  storage: Row<Thrown>['storage'],
): Row => ({ type, service, storage }) as Row

const soon = { headers: { 'Retry-After': '1' } }

/** The answers to errors, the first row that matches; to all others, an internal error. */
const table: readonly Row[] = [
  row(
    Problem,
    (problem) => problem,
    ({ message }) => new StorageError('InvalidArgument', message),
  ),
  row(
    StorageError,
    () => undefined,
    (error) => error,
  ),
  row(
    Interrupted,
    ({ message }) => new Problem('invalid-request', message),
    ({ message }) => new StorageError('IncompleteBody', message),
  ),
  row(
    DomainError,
    ({ code, message }) => (isProblemCode(code) ? new Problem(code, message) : undefined),
    ({ code, message }) =>
      new StorageError(code === 'memory-full' ? 'InsufficientStorage' : 'InvalidObjectState', message),
  ),
  row(
    UnavailableError,
    ({ code, message }) => new Problem(code, message, soon),
    ({ code, message }) =>
      new StorageError(code === 'store-full' ? 'InsufficientStorage' : 'ServiceUnavailable', message, soon),
  ),
]

/** Returns true if an error is answered as storage does. */
export function isOfStorage(
  error: unknown,
  { path, route }: Pick<Context, 'route'> & { readonly path: string },
): boolean {
  return error instanceof StorageError || route?.part === 'storage' || path.startsWith(storagePrefix)
}

/**
 * Returns a function that answers what was thrown for a request: as storage does for its own, and with a problem for any other. It
 * calls `onFault` with errors that are the mock's own.
 */
export function errorAnswers(onFault: (error: unknown) => void): AnswerError {
  return (error, about) => {
    const isStorage = isOfStorage(error, about)
    const known = table.find(({ type }) => error instanceof type)?.[isStorage ? 'storage' : 'service'](error as Error)
    if (known) return known.toOutgoing(about.path)
    onFault(error)
    const detail =
      error instanceof ArchiveError ? error.message : 'The mock had an internal error. See its log for details.'
    return isStorage
      ? new StorageError('InternalError', detail).toOutgoing(about.path)
      : new Problem('internal-error', detail).toOutgoing()
  }
}
