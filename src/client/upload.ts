import type { components } from '../contract/types.gen.ts'
import { type Calls, dataOf } from './calls.ts'
import { ClientError, noAnswer } from './error.ts'
import { isStored, putFile, type StorageAnswer, type UploadProgress } from './put-file.ts'
import { type RetryOptions, retried } from './retry.ts'

/** A confirmed upload; its `document_id` is what an execution is for. */
export type ConfirmedDocument = components['schemas']['Document']
type Upload = components['schemas']['Upload']

export interface UploadOptions {
  /** @default the file's own name */
  readonly fileName?: string
  /** @default the file's own type, or else application/octet-stream */
  readonly contentType?: string
  /** Told how much of the file has been sent; begins anew when the file has to be sent again. */
  readonly onProgress?: (progress: UploadProgress) => void
  /** Stops the upload. Nothing is confirmed then. */
  readonly signal?: AbortSignal
  readonly retry?: RetryOptions
}

/** What an upload needs of a client. */
export interface Uploader {
  readonly calls: Calls
  /** Sends requests to storage. @default the platform's way */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Uploads a document in the three documented steps (interface.md sections 4.4 to 4.6); each can be repeated without harm, so
 * what fails in passing is tried again. Rejects with a `ClientError`; the upload then has no effect that others can see.
 *
 * The service says where the file goes. In Node the address is checked when the connection is made (see `createClient`); in a
 * browser, its rules for other origins hold.
 */
export async function uploadDocument(
  { calls, fetch }: Uploader,
  file: Blob & { readonly name?: string },
  options: UploadOptions = {},
): Promise<ConfirmedDocument> {
  const { fileName = file.name, contentType = file.type || 'application/octet-stream', retry = {}, signal } = options
  if (!fileName) throw new TypeError('Failed to upload: because the file has no name. Give one as fileName.')
  const description = { file_name: fileName, content_type: contentType, file_size: file.size }
  const request = () =>
    retried(() => dataOf(calls.POST('/api/v1/upload/', { body: description, ...given(signal) }), signal), retry, signal)
  const put = ({ upload_url }: Upload) =>
    retried(
      () =>
        stored(
          upload_url,
          fileName,
          putFile(upload_url, file, { ...options, contentType, ...(fetch && { fetch }) }),
          signal,
        ),
      retry,
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
  return retried(() => dataOf(calls.POST('/api/v1/upload/confirm', { body, ...given(signal) }), signal), retry, signal)
}

/** Rejects where storage has not taken the file. Its errors are not in the contract: most write them as S3 does. */
async function stored(
  url: string,
  fileName: string,
  answering: Promise<StorageAnswer>,
  signal?: AbortSignal,
): Promise<void> {
  const answer = await answering.catch((cause) => {
    throw noAnswer(cause, signal)
  })
  if (isStored(answer)) return
  const { status, text } = answer
  const code = text.match(/<Code>(\w{1,100})<\/Code>/)?.[1] ?? `status ${status}`
  const message = text.match(/<Message>([^<]{1,500})<\/Message>/)?.[1]?.replaceAll(/&(\w{2,4});/g, decoded)
  const why = message === undefined ? code : `${code} (${message})`
  const failed = `Failed to store '${fileName}': because storage at ${new URL(url).origin}`
  if (status < 500 && /expired/i.test(text)) {
    throw new ClientError('upload-url-expired', `${failed} says that the upload URL has expired. Upload it again.`, {
      status,
    })
  }
  throw new ClientError(
    'storage-error',
    `${failed} answered ${why}. Upload it again; if that fails too, ask the service's owner.`,
    { status },
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What an entity of XML stands for. */
function decoded(entity: string, name: string): string {
  return entities[name] ?? entity
}

function given(signal: AbortSignal | undefined) {
  return signal ? { signal } : {}
}
