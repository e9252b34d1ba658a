import { type Decider, never } from '../decider.ts'
import { DomainError, requireFound } from '../errors.ts'

/** The file as the client announced it (interface.md section 2). `file_size` is in bytes (gap.file-size-unit). */
export interface UploadRequest {
  readonly file_name: string
  readonly content_type: string
  readonly file_size: number
}

export interface UploadTerms {
  readonly key: string
  readonly request: UploadRequest
  /** The validity of its upload URL, in seconds. @default urlSeconds */
  readonly validSeconds?: number
}

/** The validity of an upload URL while the clock runs at most at real time, in seconds (gap.upload-url-lifetime). */
export const urlSeconds = 15 * 60

/** The checksums of a stored file, in lower-case hexadecimal. */
export interface ObjectSums {
  /** Absent if a store outside of the mock has the file. */
  readonly crc32?: string
  /** Present if the PUT asked for it. */
  readonly sha256?: string
  /** The name of the file that has the bytes, if they are kept. */
  readonly file?: string
  /** The size of that file, in bytes. @default as the client announced it */
  readonly size?: number
}

/** An upload session. Its states are gap.upload-states. */
export interface Upload extends UploadTerms, ObjectSums {
  readonly sessionId: string
  readonly status: 'requested' | 'stored' | 'confirmed'
  readonly requestedAt: number
  /** The number of files that were stored, each in the place of the one before. */
  readonly puts: number
  readonly documentId?: string
  readonly confirmedAt?: number
}

export interface CompletedFile {
  readonly key: string
  readonly file_name: string
}

export type UploadCommand =
  | ({ readonly type: 'RequestUpload'; readonly sessionId: string; readonly maxBytes: number } & UploadTerms)
  | ({ readonly type: 'StoreObject'; readonly sessionId: string } & ObjectSums)
  | {
      readonly type: 'ConfirmUpload'
      readonly sessionId: string
      readonly completedFiles: readonly CompletedFile[]
      readonly documentId: string
    }

export type UploadEvent =
  | ({ readonly type: 'UploadRequested'; readonly sessionId: string } & UploadTerms)
  | ({ readonly type: 'ObjectStored'; readonly sessionId: string } & ObjectSums)
  | { readonly type: 'UploadConfirmed'; readonly sessionId: string; readonly documentId: string }

export const uploadDecider: Decider<Upload, UploadCommand, UploadEvent> = {
  decide(command, state) {
    switch (command.type) {
      case 'RequestUpload': {
        const { type, maxBytes, ...terms } = command
        if (terms.request.file_size > maxBytes) {
          throw new DomainError(
            'file-too-large',
            `file_size is ${terms.request.file_size} bytes; the limit is ${maxBytes}. Send a smaller file, or start the mock with a larger upload limit.`,
          )
        }
        return [{ type: 'UploadRequested', ...terms }]
      }
      case 'StoreObject': {
        const upload = requireUpload(state, command.sessionId)
        if (upload.status === 'confirmed') {
          throw new DomainError('object-confirmed', 'This upload is already confirmed. Request a new upload.')
        }
        const { type, ...stored } = command
        return [{ type: 'ObjectStored', ...stored }]
      }
      case 'ConfirmUpload': {
        const upload = requireUpload(state, command.sessionId)
        for (const file of command.completedFiles) mustMatch(file, upload)
        if (upload.status === 'requested') {
          throw new DomainError(
            'object-not-stored',
            'No file is stored at the upload_url yet. PUT the file there, then confirm.',
          )
        }
        // Confirming is idempotent (gap.confirm-twice).
        if (upload.status === 'confirmed') return []
        return [{ type: 'UploadConfirmed', sessionId: upload.sessionId, documentId: command.documentId }]
      }
      default:
        return never(command)
    }
  },

  evolve(state, event) {
    if (event.type === 'UploadRequested') {
      const { type, seq, at, ...terms } = event
      return { ...terms, status: 'requested', requestedAt: at, puts: 0 }
    }
    const upload = requireUpload(state, event.sessionId)
    if (event.type === 'ObjectStored') {
      const { type, seq, at, ...sums } = event
      const { crc32, sha256, file, size, ...before } = upload
      return { ...before, ...sums, status: 'stored', puts: upload.puts + 1 }
    }
    return { ...upload, status: 'confirmed', documentId: event.documentId, confirmedAt: event.at }
  },
}

/** Returns the time at which an upload URL expires, in milliseconds since 1970. Its signature has whole seconds only. */
export function expiryOf({ requestedAt, validSeconds = urlSeconds }: Upload): number {
  return (Math.floor(requestedAt / 1000) + validSeconds) * 1000
}

/** Returns the upload. Throws a `DomainError` if it is undefined. */
export function requireUpload(upload: Upload | undefined, sessionId: string): Upload {
  return requireFound(
    upload,
    'session-not-found',
    `This key has no upload with session_id '${sessionId}'. Use the session_id that POST /api/v1/upload/ returned for this key.`,
  )
}

function mustMatch(file: CompletedFile, upload: Upload): void {
  if (file.key !== upload.key) {
    throw new DomainError(
      'key-of-another-session',
      `'${file.key}' is not the key of this session. Send the key that came with the session_id.`,
    )
  }
  const { file_name } = upload.request
  if (file.file_name !== file_name) {
    throw new DomainError(
      'file-name-mismatch',
      `file_name is '${file.file_name}', but the upload was requested for '${file_name}'. Send the same name.`,
    )
  }
}
