/** Progress of an upload, in bytes. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export interface PutOptions {
  readonly contentType: string
  /** Sends the request. @default the platform's fetch */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly onProgress?: (progress: UploadProgress) => void
  readonly signal?: AbortSignal
}

/** The answer of storage. */
export interface StorageAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Puts a file at an upload URL, with its media type and without a key (interface.md section 4.5). Rejects if there is no
 * answer. In browsers, progress needs XMLHttpRequest, since fetch does not report it; elsewhere the body is counted as it
 * is read.
 */
export async function putFile(url: string, file: Blob, options: PutOptions): Promise<StorageAnswer> {
  const { onProgress, fetch: send } = options
  onProgress?.({ loaded: 0, total: file.size })
  const hasRequests = typeof XMLHttpRequest !== 'undefined'
  const answer = await (onProgress && !send && hasRequests ? putByXhr : putByFetch)(url, file, options)
  if (isStored(answer)) onProgress?.({ loaded: file.size, total: file.size })
  return answer
}

/** Reads the bytes of jsdom's files, since the platform's fetch does not know them and would send `[object File]`. */
function bodyOf(file: Blob): Blob | Promise<ArrayBuffer> {
  if (typeof file.stream === 'function') return file
  return typeof file.arrayBuffer === 'function' ? file.arrayBuffer() : readFile(file)
}

/** Reads a file of jsdom 27 or older. */
function readFile(file: Blob): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as ArrayBuffer)
    reader.onerror = () => reject(reader.error)
    reader.readAsArrayBuffer(file)
  })
}

/** Checks whether storage has accepted the file. */
export function isStored({ status }: StorageAnswer): boolean {
  return status >= 200 && status < 300
}

async function putByXhr(
  url: string,
  file: Blob,
  { contentType, onProgress, signal }: PutOptions,
): Promise<StorageAnswer> {
  const body = await bodyOf(file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', contentType)
    // The last event is left out: completion is reported once storage has answered.
    request.upload.onprogress = ({ loaded }) => {
      if (loaded < file.size) onProgress?.({ loaded, total: file.size })
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error('the upload got no answer'))
    request.onabort = () => reject(signal?.reason ?? new DOMException('The upload was aborted.', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return reject(signal.reason)
    request.send(body)
  })
}

async function putByFetch(url: string, file: Blob, options: PutOptions): Promise<StorageAnswer> {
  const { contentType, onProgress, signal, fetch: send = (request) => globalThis.fetch(request) } = options
  const isCounted = onProgress !== undefined && canCount(file)
  const init = {
    method: 'PUT',
    credentials: 'omit',
    // Storage requires the length in advance (S3 answers 411 without it), and a stream has none.
    headers: { 'Content-Type': contentType, ...(isCounted && { 'Content-Length': String(file.size) }) },
    body: isCounted ? countedStream(file, onProgress) : await bodyOf(file),
    duplex: 'half',
    ...(signal && { signal }),
  } as const
  const response = await send(new Request(url, init))
  return { status: response.status, text: await response.text() }
}

/** Checks whether progress can be counted in a stream: browsers send streams over HTTP/2 only. */
function canCount(file: Blob): boolean {
  return file.size > 0 && typeof XMLHttpRequest === 'undefined'
}

/** The bytes between two progress reports. */
const partBytes = 64 * 1024

function countedStream(
  file: Blob,
  onProgress: (progress: UploadProgress) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0
  return new ReadableStream({
    async pull(controller) {
      // A new pull means that the previous part has been consumed.
      if (loaded > 0 && loaded < file.size) onProgress({ loaded, total: file.size })
      const part = new Uint8Array(await file.slice(loaded, loaded + partBytes).arrayBuffer())
      loaded += part.byteLength
      controller.enqueue(part)
      if (loaded >= file.size) controller.close()
    },
  })
}
