import { type AnswerError, type App, type Incoming, Interrupted, type Outgoing } from './exchange.ts'
import { Problem } from './problem.ts'

/** A server with the signature of the standard `fetch`. */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/**
 * Wraps an app as a `fetch` for tests, service workers and other runtimes. Rejects if the request's signal aborts. `answerError`
 * answers if there can be no response of the app's answer.
 */
export function toFetch(app: App, answerError: AnswerError): Fetch {
  return async (input, init) => {
    // No instanceof: a Request may come from another realm, such as a page in a frame.
    const isRequest = init === undefined && typeof input === 'object' && 'headers' in input
    const request = isRequest ? input : new Request(input, init)
    request.signal.throwIfAborted()
    const incoming = incomingOf(request)
    const answering = /^https?:/.test(request.url) ? app(incoming) : badScheme.toOutgoing()
    const answer = await Promise.race([answering, rejectOnAbort(request)])
    if (answer.isBroken) throw new BrokenConnectionError()
    try {
      return responseOf(answer)
    } catch (error) {
      return responseOf(answerError(error, incoming))
    }
  }
}

function responseOf({ status, headers, body, stream }: Outgoing): Response {
  return new Response(stream ?? ((body ?? null) as BodyInit | null), { status, headers: headers as [string, string][] })
}

/** A connection that ended without an answer because a test asked for it; `fetch` rejects with a `TypeError` then. */
export class BrokenConnectionError extends TypeError {
  constructor() {
    super('fetch failed: the connection was broken, as the test asked.')
  }
}

/** Other schemes have no origin to build upload URLs from. */
const badScheme = new Problem(
  'invalid-request',
  'The URL does not start with http:// or https://. Use one such as http://localhost/api/v1/workflows.',
)

function rejectOnAbort({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Returns a request of `fetch` for an app. */
function incomingOf(request: Request): Incoming {
  const { origin, pathname, search } = new URL(request.url)
  /** Has the body. */
  let source = request
  /** Returns true if the body is a stream without a length, which a connection would send in chunks. */
  const hasUnknownLength = () => {
    if (!request.body || request.headers.has('content-length') || !(request instanceof Request)) return false
    try {
      // In this mode, a stream is refused (Fetch standard, constructor of Request). Any other body moves to the new request.
      source = new Request(request, { method: 'POST', cache: 'default', integrity: '', mode: 'no-cors' })
      return false
    } catch (error) {
      if (error instanceof TypeError) return true
      throw error
    }
  }
  return {
    ...{ method: request.method, origin, path: pathname, search },
    header: (name) =>
      request.headers.get(name) ?? (name === 'transfer-encoding' && hasUnknownLength() ? 'chunked' : undefined),
    headers: () => [...request.headers],
    readBody: (take) => readBody(source, request.signal, take),
  }
}

async function readBody({ body, bodyUsed }: Request, signal: AbortSignal, take: (chunk: Uint8Array) => boolean) {
  // A body that was read is locked in happy-dom, but not used.
  if (!body || bodyUsed || body.locked) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Interrupted(error)
    })
    // Chunks that were already buffered no longer count after an abort.
    if (signal.aborted) throw new Interrupted(signal.reason)
    if (done) return
    if (!take(value)) {
      await reader.cancel()
      return
    }
  }
}
