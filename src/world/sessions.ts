import type { Journaled } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import { requireUpload, type Upload, type UploadEvent, uploadDecider } from '../domain/uploads/upload.ts'

/** The upload sessions of a world. */
export class Sessions {
  readonly #uploads = new Map<string, Upload>()
  readonly #sessionByKey = new Map<string, string>()
  readonly #documents = new Set<string>()

  apply(event: Journaled<UploadEvent>): void {
    this.add(uploadDecider.evolve(this.#uploads.get(event.sessionId), event))
  }

  /** Adds an upload, or replaces an earlier state of it. */
  add(upload: Upload): void {
    this.#uploads.set(upload.sessionId, upload)
    this.#sessionByKey.set(upload.key, upload.sessionId)
    if (upload.documentId) this.#documents.add(upload.documentId)
  }

  get size(): number {
    return this.#uploads.size
  }

  all(): Iterable<Upload> {
    return this.#uploads.values()
  }

  find(sessionId: string): Upload | undefined {
    return this.#uploads.get(sessionId)
  }

  require(sessionId: string): Upload {
    return requireUpload(this.find(sessionId), sessionId)
  }

  /** Finds an upload by the storage key of its object. */
  byKey(key: string): Upload | undefined {
    return this.find(this.#sessionByKey.get(key) ?? '')
  }

  mustBeConfirmed(documentId: string): void {
    if (this.#documents.has(documentId)) return
    throw new DomainError(
      'document-not-confirmed',
      `No confirmed upload has the document_id '${documentId}'. Upload and confirm the document, then use the document_id from the answer.`,
    )
  }
}
