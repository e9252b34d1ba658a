import { encodeKey, sign } from '../../world/presign.ts'
import { storagePrefix } from '../storage/storage.ts'
import type { Incoming } from '../wire/exchange.ts'
import type { ServiceHandlers } from '../wire/handlers.ts'
import type { Identifiers } from './identifiers.ts'
import { documentTo, timeTo } from './mapping.ts'

/** The lifetime of an upload URL (gap.upload-url-lifetime), in real time if the clock is faster. */
const urlSeconds = 15 * 60

export interface UploadHandlerOptions {
  /** Largest file, in bytes (gap.max-file-size). */
  readonly maxUploadBytes: number
  /** Returns the origin for the upload URL that answers a request. */
  readonly storageOrigin: (incoming: Incoming) => string
}

/** Creates the handlers for uploads (interface.md sections 4.4 and 4.6). */
export function uploadHandlers(
  options: UploadHandlerOptions,
  identifiers: Identifiers,
): Pick<ServiceHandlers, 'requestUpload' | 'confirmUpload'> {
  return {
    requestUpload({ body, world, incoming }) {
      const { file_name: fileName, content_type: contentType, file_size: fileSize } = body
      const sessionId = identifiers.session(world)
      const key = identifiers.key(world, { sessionId, fileName })
      const maxBytes = options.maxUploadBytes
      world.handle({ type: 'RequestUpload', sessionId, key, fileName, contentType, fileSize, maxBytes })
      const { clock } = world
      const now = clock.now()
      // Sending a file takes real time, however fast the clock runs.
      const seconds = urlSeconds * Math.max(1, Math.ceil(clock.speed))
      const terms = { method: 'PUT', contentType, contentLength: fileSize }
      const signed = sign(storagePrefix + encodeKey(key), terms, world.secret, now, seconds)
      return {
        status: 200,
        body: {
          upload_url: options.storageOrigin(incoming) + signed,
          session_id: sessionId,
          key,
          method: 'PUT',
          headers: { 'Content-Type': contentType },
          // The signature has whole seconds only.
          expires_at: timeTo((Math.floor(now / 1000) + seconds) * 1000),
        },
      }
    },

    confirmUpload({ body, world }) {
      const sessionId = body.session_id.toLowerCase()
      const completedFiles = body.completed_files.map(({ key, file_name }) => ({ key, fileName: file_name }))
      const documentId = identifiers.document(world, world.upload(sessionId))
      world.handle({ type: 'ConfirmUpload', sessionId, completedFiles, documentId })
      return { status: 200, body: documentTo(world.upload(sessionId)) }
    },
  }
}
