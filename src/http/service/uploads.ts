import { timeTo, written } from '../../contract/written.ts'
import { expiryOf, type Upload, urlSeconds } from '../../domain/uploads/upload.ts'
import type { DeploymentWays } from '../../wire/deployment.ts'
import type { Incoming } from '../../wire/exchange.ts'
import type { ServiceHandlers } from '../../wire/handlers.ts'
import { sign } from '../../world/presign.ts'
import type { World } from '../../world/world.ts'
import { storagePathOf } from '../storage/storage-path.ts'
import type { Identifiers } from './identifiers.ts'
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
  const { key, request, requestedAt, validSeconds = urlSeconds } = upload
  const { content_type: contentType, file_size: contentLength } = request
  const terms = { method: 'PUT', host: new URL(storageUrl).host, contentType, contentLength }
  return storageUrl + sign(storagePathOf(key, tenantId), terms, secret, requestedAt, validSeconds)
}

/** Writes a confirmed upload as the contract has it. */
const writtenDocument = (upload: Upload) => written('Document', upload.request, upload)

/** Creates the handlers for uploads (interface.md sections 4.4 and 4.6). */
export function uploadHandlers(
  options: UploadHandlerOptions,
  identifiers: Identifiers,
  { accepts }: DeploymentWays,
): Pick<ServiceHandlers, 'requestUpload' | 'confirmUpload'> {
  return {
    requestUpload({ body, world, context }) {
      const { file_name: fileName } = body
      const sessionId = identifiers.session(world)
      const { store } = options
      const ownKey = identifiers.key(world, { sessionId, fileName })
      const key = store?.keyFor(ownKey, fileName) ?? ownKey
      const maxBytes = accepts('file-too-large') ? Number.MAX_SAFE_INTEGER : options.maxUploadBytes
      // Sending a file takes real time, however fast the clock runs.
      const seconds = urlSeconds * Math.max(1, Math.ceil(world.clock.speed))
      world.handle({
        type: 'RequestUpload',
        sessionId,
        key,
        request: body,
        maxBytes,
        ...(seconds !== urlSeconds && { validSeconds: seconds }),
      })
      const upload = world.upload(sessionId)
      return {
        status: 200,
        body: {
          upload_url:
            store?.uploadUrl(upload, urlSeconds) ?? uploadUrlOf(upload, world, options.storageUrl(context.request)),
          session_id: sessionId,
          key,
          method: 'PUT',
          headers: { 'Content-Type': body.content_type },
          expires_at: timeTo(expiryOf(upload)),
        },
      }
    },

    confirmUpload({ body, world }) {
      const sessionId = body.session_id.toLowerCase()
      const { completed_files: completedFiles } = body
      const upload = world.upload(sessionId)
      world.requireFile(upload)
      const documentId = identifiers.document(world, upload)
      world.handle({ type: 'ConfirmUpload', sessionId, completedFiles, documentId })
      return { status: 200, body: writtenDocument(world.upload(sessionId)) }
    },
  }
}
