import type { components } from '../contract/types.gen.ts'
import { type Calls, dataOf } from './calls.ts'
import { ClientError, errorWithoutAnswer } from './error.ts'
import { putFile, type Send, type StorageAnswer, type UploadProgress } from './put-file.ts'
import { type RetryOptions, retry } from './retry.ts'

/** A confirmed upload; its `document_id` is what an execution is for. */
export type ConfirmedDocument = components['schemas']['Document']

/** Options of `uploadDocument`. */
export interface UploadOptions {
  /**
   * Name of the file.
   *
   * @default the name of the file object
   * @example `{ fileName: 'contract.pdf' }`
   */
  readonly fileName?: string
  /**
   * Media type of the file.
   *
   * @default the type of the file object, or application/octet-stream
   * @example `{ contentType: 'application/pdf' }`
   */
  readonly contentType?: string
  /**
   * Called with the number of bytes sent. Starts again at 0 if the file has to be sent again.
   *
   * @default no progress
   * @example `{ onProgress: ({ loaded, total }) => console.log(loaded, total) }`
   */
  readonly onProgress?: (progress: UploadProgress) => void
  /**
   * Aborts the upload. An aborted upload is not confirmed.
   *
   * @default none
   * @example `{ signal: AbortSignal.timeout(60_000) }`
   */
  readonly signal?: AbortSignal
  /**
   * Attempts at each of the three calls, and the delay between them.
   *
   * @default 3 attempts, 500 ms apart at first
   * @example `{ retry: { attempts: 5, delayMs: 100 } }`
   */
  readonly retry?: RetryOptions
}

/**
 * Uploads a document in the three documented steps (interface.md sections 4.4 to 4.6); each can be repeated without harm, so
 * temporary failures are retried. Rejects with a `ClientError`; the upload then has no effect that others can see.
 *
 * The service says where the file goes. In Node the address is checked when the connection is made (see `createClient`); in a
 * browser, its rules for other origins hold.
 */
export async function uploadDocument(
  calls: Calls,
  send: Send | undefined,
  file: Blob & { readonly name?: string },
  options: UploadOptions = {},
): Promise<ConfirmedDocument> {
  const { fileName = file.name, contentType = file.type || 'application/octet-stream', signal, onProgress } = options
  if (!fileName) throw new TypeError('The file has no name. Set the option fileName.')
  const again = <Result>(run: () => Promise<Result>) => retry(run, options.retry ?? {}, signal)
  const init = signal ? { signal } : {}
  const description = { file_name: fileName, content_type: contentType, file_size: file.size }
  const progress = onProgress && ((loaded: number) => onProgress({ loaded, total: file.size }))
  const put = async (url: string) => {
    progress?.(0)
    const answer = await putFile(url, file, { contentType, send, progress, signal }).catch((cause) => {
      throw errorWithoutAnswer(cause, signal)
    })
    requireStored(url, fileName, answer)
    progress?.(file.size)
  }
  const stored = async () => {
    const upload = await again(() => dataOf(calls.POST('/api/v1/upload/', { body: description, ...init }), signal))
    await again(() => put(upload.upload_url))
    return upload
  }

  const { session_id, key } = await stored().catch((error) => {
    if (error?.code !== 'upload-url-expired') throw error
    return stored()
  })
  const body = { session_id, completed_files: [{ key, file_name: fileName }] }
  return again(() => dataOf(calls.POST('/api/v1/upload/confirm', { body, ...init }), signal))
}

/** Throws if storage has not accepted the file. The contract does not define its errors; most storages use S3's format. */
function requireStored(url: string, fileName: string, { status, text }: StorageAnswer): void {
  if (status >= 200 && status < 300) return
  const storage = `The storage at ${new URL(url).origin}`
  if (status < 500 && /expired/i.test(text)) {
    throw new ClientError(
      'upload-url-expired',
      `${storage} answered that the upload URL has expired. Upload '${fileName}' again.`,
      { status },
    )
  }
  const code = text.match(/<Code>(\w{1,100})<\/Code>/)?.[1] ?? `status ${status}`
  const message = text.match(/<Message>([^<]{1,500})<\/Message>/)?.[1]
  const why = message?.replaceAll(/&(\w{2,4});/g, (entity, name: string) => entities[name] ?? entity)
  throw new ClientError(
    'storage-error',
    `${storage} did not accept '${fileName}': ${why === undefined ? code : `${code} (${why})`}. Upload it again; if that fails too, ask the owner of the service.`,
    { status },
  )
}

/** The entities of XML. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
