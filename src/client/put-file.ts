/** How much of a file has been sent, in bytes. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export interface PutOptions {
  readonly contentType: string
  /** Sends the request, where the caller has a way of its own. @default the platform's */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly onProgress?: (progress: UploadProgress) => void
  readonly signal?: AbortSignal
}

/** What storage answered. */
export interface StorageAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Puts a file at an upload URL, with its media type and no key (interface.md section 4.5). Rejects where no answer comes.
 * Progress needs an XMLHttpRequest in browsers, since their fetch tells of none; elsewhere the body is counted as it is
 * read.
 */
export async function putFile(url: string, file: Blob, options: PutOptions): Promise<StorageAnswer> {
  const { onProgress, fetch: send } = options
  onProgress?.({ loaded: 0, total: file.size })
  const hasRequests = typeof XMLHttpRequest !== 'undefined'
  const answer = await (onProgress && !send && hasRequests ? putByXhr : putByFetch)(url, file, options)
  if (isStored(answer)) onProgress?.({ loaded: file.size, total: file.size })
  return answer
}

/** jsdom's files are unknown to the platform's fetch, which would send `[object Blob]`; their bytes it does know. */
function bodyOf(file: Blob): Blob | Promise<ArrayBuffer> {
  return typeof file.stream === 'function' ? file : file.arrayBuffer()
}

/** Whether storage has taken the file. */
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
    // Everything is told when storage has answered; until then, at most what has been sent.
    request.upload.onprogress = ({ loaded }) => {
      if (loaded < file.size) onProgress?.({ loaded, total: file.size })
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new TypeError('storage cannot be reached'))
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
    // Storage wants the length in advance (S3 answers 411 without), which a stream does not tell.
    headers: { 'Content-Type': contentType, ...(isCounted && { 'Content-Length': String(file.size) }) },
    body: isCounted ? counted(file, onProgress) : await bodyOf(file),
    duplex: 'half',
    ...(signal && { signal }),
  } as const
  const response = await send(new Request(url, init))
  return { status: response.status, text: await response.text() }
}

/** Browsers send a stream over HTTP/2 only, so a body is counted only where there is no browser. */
function canCount(file: Blob): boolean {
  return file.size > 0 && typeof XMLHttpRequest === 'undefined'
}

/** How often progress is told, in bytes. */
const partBytes = 64 * 1024

function counted(file: Blob, onProgress: (progress: UploadProgress) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  let loaded = 0
  return new ReadableStream({
    async pull(controller) {
      // What was asked for before has been taken by now.
      if (loaded > 0 && loaded < file.size) onProgress({ loaded, total: file.size })
      const part = new Uint8Array(await file.slice(loaded, loaded + partBytes).arrayBuffer())
      loaded += part.byteLength
      controller.enqueue(part)
      if (loaded >= file.size) controller.close()
    },
  })
}
