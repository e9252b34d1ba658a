import { operations } from '../../contract/operations.ts'
import type { Endpoint } from '../../wire/exchange.ts'
import { canonicalAddress } from '../../world/presign.ts'
import type { StorageOptions } from './put-object.ts'
import { StorageError } from './storage-error.ts'
import { storagePlaceOf, storagePrefix } from './storage-path.ts'

/** Everything below the storage prefix is a PUT of a file. */
const putObject = {
  ...operations.putObject,
  id: 'putObject',
  part: 'storage',
  match: (path: string) => (canonicalAddress(path).startsWith(storagePrefix) ? {} : undefined),
} as const

const closed = new StorageError(
  'AccessDenied',
  'This mock keeps no files itself, but in a store. Send the file to its upload_url.',
)

/** The row of storage that is closed, since another store takes the files. */
export const closedStorage: Endpoint = {
  ...putObject,
  tenantOf() {
    throw closed
  },
  validate: () => Promise.reject(closed),
}

/** Returns the row of storage (interface.md section 4.5). Its stages are loaded with the first file: many mocks never get one. */
export function storageRoute(options: StorageOptions): Endpoint {
  return {
    ...putObject,
    tenantOf: ({ path }) => storagePlaceOf(path).tenantId,
    validate: async (context) => (await import('./put-object.ts')).checkUpload(context, options),
  }
}
