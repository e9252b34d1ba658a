import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type App, type Incoming, Interrupted, type Outgoing } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import { Outbox } from './outbox.ts'
import { release } from './release.ts'

/** How long a client may take to send, in milliseconds. */
export interface PatienceOptions {
  /** All headers. @default 10000 */
  readonly headersMs?: number
  /** The body of a call. @default 30000 */
  readonly bodyMs?: number
  /** Between two pieces of an upload's file, which may take longer in all. @default 120000 */
  readonly fileMs?: number
}

/** The server on a socket; it does not listen yet. */
export function serverOf(app: App, options: PatienceOptions = {}): Server {
  const { headersMs = 10_000, bodyMs = 30_000, fileMs = 120_000 } = options
  const outbox = new Outbox()
  const server = createServer(
    {
      // A header that is sent twice is then the same here as through `fetch`.
      joinDuplicateHeaders: true,
      headersTimeout: headersMs,
      requestTimeout: longestMs,
      connectionsCheckingInterval: Math.min(1000, headersMs / 4),
    },
    async (request, response) => {
      const incoming = new NodeIncoming(request, request.method === 'PUT' ? fileMs : bodyMs)
      const answer = hasOneHost(request) ? await app(incoming) : noHost.toOutgoing()
      // A server that stops wants no further request on a connection.
      const isLast = incoming.isCut || !server.listening
      send(incoming.isLate ? tooLate : answer, isLast, response, outbox)
    },
  )
  return server
}

/** What any request may take in all, in milliseconds: an hour, for a large file over a slow line. */
const longestMs = 3_600_000

const tooLate: Outgoing = { status: 408, headers: [] }
const noHost = new Problem(
  'invalid-request',
  'Failed to read the request: because it does not name its host once, as HTTP/1.1 wants. Send one Host header.',
)

const host = /^(\[[\da-f:.]{2,45}\]|[\w.~!$&'()*+;=%-]{1,255})(:\d{0,5})?$/i

/** RFC 9112 section 3.2: one Host, that names a host; two are joined by a comma. HTTP/1.0 may do without one. */
function hasOneHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined ? httpVersion === '1.0' : host.test(headers.host)
}

function send(
  { status, headers, body = '' }: Outgoing,
  isLast: boolean,
  response: ServerResponse,
  outbox: Outbox,
): void {
  if (response.destroyed) return
  const all: string[] = []
  for (const [name, value] of headers) all.push(name, value)
  if (isLast) all.push('Connection', 'close')
  // RFC 9110 section 8.6: neither 204 nor HEAD announce a length.
  const isEmpty = status === 204 || response.req.method === 'HEAD'
  if (!isEmpty) all.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, all)
  outbox.put(() => response.end(isEmpty ? undefined : body))
}

class NodeIncoming implements Incoming {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly #request: IncomingMessage
  readonly #base: string | undefined
  readonly #patienceMs: number
  #isRead = false
  /** Whether the client goes on sending what nobody reads. */
  isCut = false
  /** Whether its body took too long. */
  isLate = false
  tenantId?: string

  constructor(request: IncomingMessage, patienceMs: number) {
    this.#patienceMs = patienceMs
    const { method = 'GET', url = '/' } = request
    this.#request = request
    this.method = method
    // A proxy's form of the target (RFC 9112 section 3.2.2) names the origin too.
    const absolute = url.startsWith('/') || !URL.canParse(url) ? undefined : new URL(url)
    this.#base = absolute?.origin
    const target = absolute ? absolute.pathname + absolute.search : url
    const query = target.indexOf('?')
    this.path = query < 0 ? target : target.slice(0, query)
    this.search = query < 0 || query === target.length - 1 ? '' : target.slice(query)
  }

  get origin(): string {
    const { headers, socket } = this.#request
    if (this.#base !== undefined) return this.#base
    const named = headers.host === undefined ? '' : `http://${headers.host}`
    return URL.canParse(named) ? new URL(named).origin : `http://localhost:${socket.localPort}`
  }

  header(name: string): string | undefined {
    // The host of an absolute target counts, and not what Host says (RFC 9112 section 3.2.2).
    if (name === 'host' && this.#base !== undefined) return new URL(this.#base).host
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  release(chunk: Uint8Array): void {
    release(chunk)
  }

  readBody(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const request = this.#request
    if (this.#isRead) return Promise.resolve()
    this.#isRead = true
    // Nothing more is heard of a client that has already gone.
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
      }, this.#patienceMs)
      const onData = (chunk: Uint8Array) => {
        // A file may be large and its line slow.
        if (this.method === 'PUT') timer.refresh()
        try {
          if (take(chunk)) return
          stop()
          resolve()
        } catch (error) {
          stop()
          reject(error)
        }
      }
      request.on('data', onData)
      request.once('end', () => {
        clearTimeout(timer)
        resolve()
      })
      request.once('close', () => {
        clearTimeout(timer)
        if (!request.readableEnded) reject(new Interrupted())
      })
    })
  }
}
