import type { Upload } from '../../domain/uploads/upload.ts'
import type { Incoming } from '../../wire/exchange.ts'
import { notImplemented } from './checksums.ts'
import { StorageError } from './storage-error.ts'

/** Throws a `StorageError` if `If-None-Match` or `If-Match` forbids storing an object for an upload, as S3 does. */
export function mustMeetPreconditions(incoming: Incoming, upload: Upload): void {
  const { crc32: tag } = upload
  const noneMatch = incoming.header('if-none-match')
  const match = incoming.header('if-match')
  if (noneMatch !== undefined) {
    if (noneMatch !== '*') throw notImplemented('If-None-Match')
    if (match !== undefined) throw notImplemented('If-Match,If-None-Match')
    if (tag !== undefined)
      throw preconditionFailed(
        'If-None-Match',
        'Request a new upload_url, or leave If-None-Match out to replace the file.',
      )
  }
  if (match !== undefined) {
    if (tag === undefined)
      throw new StorageError('NoSuchKey', 'The specified key does not exist. Leave If-Match out of the first PUT.')
    if (match.replaceAll('"', '') !== tag)
      throw preconditionFailed('If-Match', 'Send the ETag from the answer to the last PUT.')
  }
}

function preconditionFailed(condition: string, advice: string): StorageError {
  const what = `At least one of the pre-conditions you specified did not hold. ${advice}`
  return new StorageError('PreconditionFailed', what, { fields: { Condition: condition } })
}
