import { expiryOf, type Upload, urlSeconds } from '../../domain/uploads/upload.ts'
import { sign } from '../../world/presign.ts'
import type { World } from '../../world/world.ts'
import { storagePathOf } from '../storage/storage.ts'
import type { Incoming } from '../wire/exchange.ts'
import type { ServiceHandlers } from '../wire/handlers.ts'
import type { Tolerance } from '../wire/valid-body.ts'
import type { Identifiers } from './identifiers.ts'
import { documentTo, timeTo } from './mapping.ts'
import type { ObjectStore } from './object-store.ts'

export interface UploadHandlerOptions {
  /** Largest file, in bytes (gap.max-file-size). */
  readonly maxUploadBytes: number
  /** Returns the address of storage for the client of a request, without a trailing slash. */
  readonly storageUrl: (incoming: Incoming) => string
  /** Takes files in place of the mock's own storage. @default its own storage */
  readonly store?: ObjectStore
}

/** Returns the signed URL of an upload session below the address of storage, always the same. */
export function uploadUrlOf(upload: Upload, { secret, tenantId }: World, storageUrl: string): string {
  const { key, contentType, fileSize: contentLength, requestedAt, validSeconds = urlSeconds } = upload
  const terms = { method: 'PUT', host: new URL(storageUrl).host, contentType, contentLength }
  return storageUrl + sign(storagePathOf(key, tenantId), terms, secret, requestedAt, validSeconds)
}

/** Creates the handlers for uploads (interface.md sections 4.4 and 4.6). */
export function uploadHandlers(
  options: UploadHandlerOptions,
  identifiers: Identifiers,
  { acceptsAnySize = false }: Partial<Tolerance> = {},
): Pick<ServiceHandlers, 'requestUpload' | 'confirmUpload'> {
  return {
    requestUpload({ body, world, incoming }) {
      const { file_name: fileName, content_type: contentType, file_size: fileSize } = body
      const sessionId = identifiers.session(world)
      const { store } = options
      const ownKey = identifiers.key(world, { sessionId, fileName })
      const key = store ? store.keyFor(ownKey, fileName) : ownKey
      const maxBytes = acceptsAnySize ? Number.MAX_SAFE_INTEGER : options.maxUploadBytes
      // Sending a file takes real time, however fast the clock runs.
      const seconds = urlSeconds * Math.max(1, Math.ceil(world.clock.speed))
      const validity = seconds === urlSeconds ? {} : { validSeconds: seconds }
      world.handle({ type: 'RequestUpload', sessionId, key, fileName, contentType, fileSize, maxBytes, ...validity })
      const upload = world.upload(sessionId)
      return {
        status: 200,
        body: {
          upload_url: store
            ? store.uploadUrl(upload, urlSeconds)
            : uploadUrlOf(upload, world, options.storageUrl(incoming)),
          session_id: sessionId,
          key,
          method: 'PUT',
          headers: { 'Content-Type': contentType },
          expires_at: timeTo(expiryOf(upload)),
        },
      }
    },

    confirmUpload({ body, world }) {
      const sessionId = body.session_id.toLowerCase()
      const completedFiles = body.completed_files.map(({ key, file_name }) => ({ key, fileName: file_name }))
      const upload = world.upload(sessionId)
      world.requireFile(upload)
      const documentId = identifiers.document(world, upload)
      world.handle({ type: 'ConfirmUpload', sessionId, completedFiles, documentId })
      return { status: 200, body: documentTo(world.upload(sessionId)) }
    },
  }
}
