import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ForPages } from '../wire/cors.ts'
import { type AnswerError, type App, type Incoming, Interrupted, type Outgoing } from '../wire/exchange.ts'
import { answerClientError } from './client-error.ts'
import { answerInTurn } from './in-turn.ts'
import { Outbox } from './outbox.ts'
import { release } from './release.ts'
import { type RequestTarget, targetOf } from './target.ts'

/** Limits for slow clients, in milliseconds. */
export interface PatienceOptions {
  /**
   * Until all headers have arrived.
   *
   * @default 10000
   * @example `{ headersMs: 5_000 }`
   */
  readonly headersMs?: number
  /**
   * Until the body of a call has arrived.
   *
   * @default 30000
   * @example `{ bodyMs: 10_000 }`
   */
  readonly bodyMs?: number
  /**
   * Between two chunks of an uploaded file. The whole file may take longer.
   *
   * @default 120000
   * @example `{ fileMs: 60_000 }`
   */
  readonly fileMs?: number
}

export interface EdgeOptions extends PatienceOptions {
  /** The most bytes of a file that are read in a second. @default as many as arrive */
  readonly uploadSpeed?: number
  /** Lets pages read what the server answers in the place of the app. @default unchanged */
  readonly forPages?: ForPages
}

/**
 * Creates an HTTP server for an app. It does not listen yet. Whatever is thrown for a request, also while its answer is sent, ends
 * in the answer of `answerError`; or in a closed connection if the headers are out.
 */
export function serverOf(app: App, answerError: AnswerError, options: EdgeOptions = {}): Server {
  const { headersMs = 10_000, bodyMs = 30_000, fileMs = 120_000, forPages = (answer) => answer, uploadSpeed } = options
  const outbox = new Outbox()
  const server = createServer(
    {
      // Repeated headers are joined, as `fetch` does.
      joinDuplicateHeaders: true,
      headersTimeout: headersMs,
      requestTimeout: longestMs,
      connectionsCheckingInterval: Math.min(1000, headersMs / 4),
    },
    answerInTurn((request, response) => {
      const reply = { response, outbox, fail }
      function fail(error: unknown): void {
        try {
          const answer = forPages(answerError(error, { path: request.url ?? '/' }), request.headers.origin)
          if (response.headersSent) response.destroy()
          else send(answer, true, reply)
        } catch (another) {
          process.emitWarning(another as Error)
          response.destroy()
        }
      }
      answerTo(request, reply).catch(fail)
    }),
  )
  const answerTo = async (request: IncomingMessage, reply: Reply) => {
    const { origin } = request.headers
    if (request.url === '*' && request.method === 'OPTIONS') {
      return send(forPages(anyMethod, origin), !server.listening, reply)
    }
    const pace = request.method === 'PUT' ? { patienceMs: fileMs, speed: uploadSpeed } : { patienceMs: bodyMs }
    const target = targetOf(request)
    const body = new RequestBody(request, pace)
    const answer = await app(incomingOf(request, target, body))
    // While it stops, the server closes each connection after its answer.
    send(body.isLate ? forPages(tooLate, origin) : answer, body.isCut || !server.listening, reply)
  }
  server.on('clientError', answerClientError(forPages))
  server.on('connect', (_, socket) => {
    // Node has removed its own error listener, and an unhandled disconnect would crash the process.
    socket.on('error', () => socket.destroy())
    const head = ['HTTP/1.1 405 Method Not Allowed', allow.join(': '), 'Content-Length: 0', 'Connection: close']
    socket.end(`${head.join('\r\n')}\r\n\r\n`, () => socket.destroy())
  })
  return server
}

/** A response that is being sent. */
interface Reply {
  readonly response: ServerResponse
  readonly outbox: Outbox
  /** Ends the request because something was thrown. */
  readonly fail: (error: unknown) => void
}

/** The longest total time of a request, in milliseconds: an hour, for a large file over a slow connection. */
const longestMs = 3_600_000

const tooLate: Outgoing = { status: 408, headers: [] }
/** The answer to `OPTIONS *` and CONNECT (RFC 9110 section 9.3.7). */
const allow = ['Allow', 'GET, HEAD, POST, PUT, OPTIONS'] as const
const anyMethod: Outgoing = { status: 204, headers: [allow] }

function send(
  { status, headers, body = '', stream, isBroken = false }: Outgoing,
  isLast: boolean,
  { response, outbox, fail }: Reply,
): void {
  if (response.destroyed) return
  if (isBroken) {
    response.destroy()
    return
  }
  const all: string[] = []
  for (const [name, value] of headers) all.push(name, value)
  // A stream ends when the mock stops, which must not wait for the connection to be idle long enough.
  if (isLast || stream) all.push('Connection', 'close')
  if (stream) {
    response.writeHead(status, all)
    // Some clients wait for the first byte after the headers.
    response.flushHeaders()
    sendParts(stream, response).catch(fail)
    return
  }
  // Answers with 204 or to HEAD have no Content-Length (RFC 9110 section 8.6).
  const isEmpty = status === 204 || response.req.method === 'HEAD'
  const size = Buffer.byteLength(body)
  if (!isEmpty) all.push('Content-Length', String(size))
  response.writeHead(status, all)
  const isAscii = typeof body === 'string' && body.length === size
  outbox.put(() => (isAscii && !isEmpty ? endAtOnce(response, body) : response.end(isEmpty ? undefined : body)), fail)
}

/**
 * Sends headers and body as one text. `end(body)` writes the body and an empty text after it as a list of two, which takes a
 * twentieth of a small call longer. Node keeps the text of the headers in `_header` until they are sent, and writes it as Latin-1.
 */
function endAtOnce(response: ServerResponse & { _header?: unknown }, body: string): void {
  if (typeof response._header !== 'string') return void response.end(body)
  response._header += body
  response.end()
}

/** Sends the parts of a body as the client takes them. */
async function sendParts(stream: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = stream.getReader()
  const isGone = new Promise<void>((resolve) => response.once('close', resolve))
  const sendAll = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (response.write(part.value)) continue
      await Promise.race([new Promise((resolve) => response.once('drain', resolve)), isGone])
    }
    response.end()
  }
  await Promise.all([sendAll(), isGone.then(() => reader.cancel())])
}

/** How a body is read: the longest wait for it, or for the next chunk of a file, in milliseconds; and the most bytes in a second. */
interface Pace {
  readonly patienceMs: number
  readonly speed?: number | undefined
}

/** Returns a request over a socket for an app. */
function incomingOf(
  request: IncomingMessage,
  { host, origin, path, search }: RequestTarget,
  body: RequestBody,
): Incoming {
  const { headers } = request
  return {
    origin,
    path,
    search,
    method: request.method ?? 'GET',
    header(name) {
      // The host of an absolute target overrides the Host header (RFC 9112 section 3.2.2).
      if (name === 'host' && host !== undefined) return host
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    headers: () => Object.entries(headers).map(([name, value = '']) => [name, String(value)]),
    readBody: (take) => body.read(take),
    pause: () => body.hold('reader'),
    resume: () => body.letGo('reader'),
    release,
  }
}

/** The body of a request over a socket. */
class RequestBody {
  readonly #request: IncomingMessage
  readonly #pace: Pace
  /** Who keeps the client waiting. */
  readonly #holding = new Set<'reader' | 'pace'>()
  #isRead = false
  /** True if reading stopped before the end of the body. */
  isCut = false
  /** True if the body took too long. */
  isLate = false

  constructor(request: IncomingMessage, pace: Pace) {
    this.#pace = pace
    this.#request = request
  }

  hold(who: 'reader' | 'pace'): void {
    this.#holding.add(who)
    this.#request.pause()
  }

  letGo(who: 'reader' | 'pace'): void {
    if (this.#holding.delete(who) && this.#holding.size === 0) this.#request.resume()
  }

  read(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const request = this.#request
    if (this.#isRead) return Promise.resolve()
    this.#isRead = true
    // A destroyed request emits no further events.
    if (request.destroyed) return Promise.reject(new Interrupted())
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        this.isCut = true
        request.off('data', onData).pause()
      }
      const timer = setTimeout(() => {
        this.isLate = true
        stop()
        reject(new Interrupted())
      }, this.#pace.patienceMs)
      const onData = (chunk: Uint8Array) => {
        // Each chunk restarts the timer, since a file may be large and the connection slow.
        if (request.method === 'PUT') timer.refresh()
        try {
          const { byteLength } = chunk
          if (take(chunk)) return this.#waitAfter(byteLength)
          stop()
          resolve()
        } catch (error) {
          stop()
          reject(error)
        }
      }
      request.on('data', onData)
      request.on('end', () => {
        clearTimeout(timer)
        resolve()
      })
      request.on('close', () => {
        clearTimeout(timer)
        if (!request.readableEnded) reject(new Interrupted())
      })
    })
  }

  /** Keeps the client waiting as long as some bytes take at the speed of files. */
  #waitAfter(bytes: number): void {
    const { speed } = this.#pace
    if (speed === undefined) return
    this.hold('pace')
    setTimeout(() => this.letGo('pace'), (bytes / speed) * 1000)
  }
}
