import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '../../http/service/object-store.ts'
import { ArchiveError } from '../../world/archive.ts'
import { encodeKey } from '../../world/presign.ts'
import { createS3Client, explainRefusal, type S3Options, StoreError, secondsAhead } from './s3-client.ts'

/** The difference between the clocks from which a warning is given, in seconds. Stores refuse 15 minutes. */
const warnedSeconds = 60

/**
 * Opens an S3 store for the files of a mock. Rejects with an `ArchiveError` if the store cannot be reached, refuses the
 * credentials, has no such bucket, or has another time. `warn` is called with a sentence if the clocks differ a little.
 */
export async function openS3(options: S3Options, warn: (message: string) => void = () => {}): Promise<ObjectStore> {
  const { signer, root, place, credentials, send } = await createS3Client(options, warn)
  // The credentials must be able to list: without it, a missing file looks like a forbidden one.
  const listed = await send({ method: 'GET', path: '?list-type=2&max-keys=1' })
  if (listed.status !== 200) throw new ArchiveError(explainRefusal(listed, place))
  const ahead = secondsAhead(listed)
  if (Math.abs(ahead) >= warnedSeconds) {
    warn(
      `The clock of this machine is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the store of bucket ${place}. Synchronise it, or upload URLs expire at another time than expires_at.`,
    )
  }

  const pathOf = (key: string) => `/${encodeKey(key)}`

  return {
    keyFor: (key, fileName) => `${key.slice(0, key.length - fileName.length)}${randomUUID()}/${fileName}`,

    uploadUrl({ key, request }, seconds) {
      const { expiration } = credentials.current
      if (expiration && expiration.getTime() <= Date.now()) {
        throw new StoreError(`The credentials for bucket ${place} have expired. Try again when they are renewed.`)
      }
      const headers = { 'Content-Type': request.content_type, 'Content-Length': String(request.file_size) }
      return signer.presign({ method: 'PUT', path: root + pathOf(key), headers }, seconds)
    },

    async holds({ key, request }) {
      const { status, headers } = await send({ method: 'HEAD', path: pathOf(key) })
      if (status === 200) return Number(headers.get('Content-Length')) === request.file_size
      if (status === 404) return false
      // The answer to HEAD has no body that would say more.
      const why = status === 403 ? 'Check its credentials, their rights and the clock of the mock' : 'Try again later'
      throw new StoreError(`The store of bucket ${place} answers ${status} to a question about the file. ${why}.`)
    },

    close: () => credentials.stop(),
  }
}
