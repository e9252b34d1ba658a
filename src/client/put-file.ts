/** Progress of an upload, in bytes. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export type Send = (request: Request) => Promise<Response>

interface PutOptions {
  readonly contentType: string
  /** Sends the request. @default the platform's fetch */
  readonly send: Send | undefined
  /** Called with the number of bytes that were sent, except at the beginning and the end. */
  readonly progress: ((loaded: number) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** The answer of storage. */
export interface StorageAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Puts a file at an upload URL, with its media type and without a key (interface.md section 4.5). Rejects if there is no
 * answer. In browsers, progress needs XMLHttpRequest, since fetch does not report it, and sends streams over HTTP/2 only;
 * elsewhere the body is counted as it is read.
 */
export async function putFile(url: string, file: Blob, options: PutOptions): Promise<StorageAnswer> {
  const { progress, send } = options
  const isPage = typeof XMLHttpRequest !== 'undefined'
  if (progress && isPage && !send) return putByXhr(url, await bodyOf(file), file.size, options)
  const isCounted = progress !== undefined && !isPage && file.size > 0
  return putByFetch(url, isCounted ? countedStream(file, progress) : await bodyOf(file), file.size, options)
}

/** Reads the bytes of jsdom's files, since the platform's fetch does not know them and would send `[object File]`. */
function bodyOf(file: Blob): Blob | Promise<ArrayBuffer> {
  if (typeof file.stream === 'function') return file
  if (typeof file.arrayBuffer === 'function') return file.arrayBuffer()
  // jsdom 27 or older.
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as ArrayBuffer)
    reader.onerror = () => reject(reader.error)
    reader.readAsArrayBuffer(file)
  })
}

function putByXhr(url: string, body: Blob | ArrayBuffer, size: number, options: PutOptions): Promise<StorageAnswer> {
  const { contentType, progress, signal } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', contentType)
    // The last event is left out: completion is reported once storage has answered.
    request.upload.onprogress = ({ loaded }) => loaded < size && progress?.(loaded)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error('the upload got no answer'))
    request.onabort = () => reject(signal?.reason ?? new DOMException('The upload was aborted.', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return reject(signal.reason)
    request.send(body)
  })
}

async function putByFetch(
  url: string,
  body: Blob | ArrayBuffer | ReadableStream<Uint8Array<ArrayBuffer>>,
  size: number,
  { contentType, signal, send = (request) => globalThis.fetch(request) }: PutOptions,
): Promise<StorageAnswer> {
  const init = {
    method: 'PUT',
    credentials: 'omit',
    // Storage requires the length in advance (S3 answers 411 without it), and a stream has none.
    headers: { 'Content-Type': contentType, ...(body instanceof ReadableStream && { 'Content-Length': String(size) }) },
    body,
    duplex: 'half',
    ...(signal && { signal }),
  } as const
  const response = await send(new Request(url, init))
  return { status: response.status, text: await response.text() }
}

/** The bytes between two progress reports. */
const partBytes = 64 * 1024

function countedStream(file: Blob, progress: (loaded: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0
  return new ReadableStream({
    async pull(controller) {
      // A new pull means that the previous part has been consumed.
      if (loaded > 0 && loaded < file.size) progress(loaded)
      const part = new Uint8Array(await file.slice(loaded, loaded + partBytes).arrayBuffer())
      loaded += part.byteLength
      controller.enqueue(part)
      if (loaded >= file.size) controller.close()
    },
  })
}
