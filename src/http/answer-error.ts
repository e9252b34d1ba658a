import { DomainError } from '../domain/errors.ts'
import { type AnswerError, type Context, Interrupted } from '../wire/exchange.ts'
import { isProblemCode, Problem, type ProblemCode } from '../wire/problem.ts'
import { ArchiveError, UnavailableError } from '../world/archive.ts'
import { type StorageCode, StorageError } from './storage/storage-error.ts'
import { storagePrefix } from './storage/storage-path.ts'

const soon = { headers: { 'Retry-After': '1' } }

/** The codes that the service and storage answer a class of errors with, the first row that matches. An error's own code counts first. */
const table: readonly {
  readonly type: abstract new (...values: never[]) => Error
  readonly service?: ProblemCode
  readonly storage: StorageCode
  readonly extra?: typeof soon
}[] = [
  { type: Problem, storage: 'InvalidArgument' },
  { type: Interrupted, service: 'invalid-request', storage: 'IncompleteBody' },
  { type: DomainError, storage: 'InvalidObjectState' },
  { type: UnavailableError, storage: 'ServiceUnavailable', extra: soon },
]

/** Returns what an error is answered with; undefined for a fault of the mock's own. */
function answered(error: unknown, isStorage: boolean): Problem | StorageError | undefined {
  if (error instanceof StorageError || (error instanceof Problem && !isStorage)) return error
  const row = table.find(({ type }) => error instanceof type)
  if (!row) return undefined
  const { code = row.service ?? '', message } = error as Error & { readonly code?: string }
  if (!isStorage) return isProblemCode(code) ? new Problem(code, message, row.extra) : undefined
  const isFull = code === 'memory-full' || code === 'store-full'
  return new StorageError(isFull ? 'InsufficientStorage' : row.storage, message, row.extra)
}

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
    const known = answered(error, isStorage)
    if (known) return known.toOutgoing(about.path)
    onFault(error)
    const detail =
      error instanceof ArchiveError ? error.message : 'The mock had an internal error. See its log for details.'
    const fault = isStorage ? new StorageError('InternalError', detail) : new Problem('internal-error', detail)
    return fault.toOutgoing(about.path)
  }
}
