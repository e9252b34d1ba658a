import type { components } from '../contract/types.gen.ts'
import { type Calls, dataOf } from './calls.ts'
import { ClientError, errorWithoutAnswer } from './error.ts'
import { isStored, putFile, type StorageAnswer, type UploadProgress } from './put-file.ts'
import { type RetryOptions, retry } from './retry.ts'

/** A confirmed upload; its `document_id` is what an execution is for. */
export type ConfirmedDocument = components['schemas']['Document']
type Upload = components['schemas']['Upload']

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

/** The parts of a client that an upload needs. */
export interface Uploader {
  readonly calls: Calls
  /** Sends requests to storage. @default the platform's fetch */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Uploads a document in the three documented steps (interface.md sections 4.4 to 4.6); each can be repeated without harm, so
 * temporary failures are retried. Rejects with a `ClientError`; the upload then has no effect that others can see.
 *
 * The service says where the file goes. In Node the address is checked when the connection is made (see `createClient`); in a
 * browser, its rules for other origins hold.
 */
export async function uploadDocument(
  { calls, fetch }: Uploader,
  file: Blob & { readonly name?: string },
  options: UploadOptions = {},
): Promise<ConfirmedDocument> {
  const { fileName = file.name, contentType = file.type || 'application/octet-stream', signal } = options
  const tries = options.retry ?? {}
  if (!fileName) throw new TypeError('The file has no name. Set the option fileName.')
  const description = { file_name: fileName, content_type: contentType, file_size: file.size }
  const request = () =>
    retry(
      () => dataOf(calls.POST('/api/v1/upload/', { body: description, ...optional(signal) }), signal),
      tries,
      signal,
    )
  const put = ({ upload_url }: Upload) =>
    retry(
      () =>
        requireStored(
          upload_url,
          fileName,
          putFile(upload_url, file, { ...options, contentType, ...(fetch && { fetch }) }),
          signal,
        ),
      tries,
      signal,
    )

  let upload = await request()
  try {
    await put(upload)
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'upload-url-expired') throw error
    upload = await request()
    await put(upload)
  }
  const { session_id, key } = upload
  const body = { session_id, completed_files: [{ key, file_name: fileName }] }
  return retry(() => dataOf(calls.POST('/api/v1/upload/confirm', { body, ...optional(signal) }), signal), tries, signal)
}

/** Rejects if storage has not accepted the file. The contract does not define its errors; most storages use S3's format. */
async function requireStored(
  url: string,
  fileName: string,
  answering: Promise<StorageAnswer>,
  signal?: AbortSignal,
): Promise<void> {
  const answer = await answering.catch((cause) => {
    throw errorWithoutAnswer(cause, signal)
  })
  if (isStored(answer)) return
  const { status, text } = answer
  const code = text.match(/<Code>(\w{1,100})<\/Code>/)?.[1] ?? `status ${status}`
  const message = text.match(/<Message>([^<]{1,500})<\/Message>/)?.[1]?.replaceAll(/&(\w{2,4});/g, decodeEntity)
  const why = message === undefined ? code : `${code} (${message})`
  const storage = `The storage at ${new URL(url).origin}`
  if (status < 500 && /expired/i.test(text)) {
    throw new ClientError(
      'upload-url-expired',
      `${storage} answered that the upload URL has expired. Upload '${fileName}' again.`,
      {
        status,
      },
    )
  }
  throw new ClientError(
    'storage-error',
    `${storage} did not accept '${fileName}': ${why}. Upload it again; if that fails too, ask the owner of the service.`,
    { status },
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes an XML entity. */
function decodeEntity(entity: string, name: string): string {
  return entities[name] ?? entity
}

function optional(signal: AbortSignal | undefined) {
  return signal ? { signal } : {}
}
