import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type App, type Incoming, Interrupted, type Outgoing } from '../http/exchange.ts'

/** The server on a socket; it does not listen yet. */
export function serverOf(app: App): Server {
  // A header that is sent twice is then the same here as through `fetch`.
  return createServer({ joinDuplicateHeaders: true }, (request, response) => {
    const incoming = new NodeIncoming(request)
    app(incoming)
      .then((outgoing) => send(outgoing, incoming, response))
      // What cannot be written, such as a header with a line break, must not end the process.
      .catch(() => response.destroy())
  })
}

function send({ status, headers, body = '' }: Outgoing, { isCut }: NodeIncoming, response: ServerResponse): void {
  if (response.destroyed) return
  const all: string[] = []
  for (const [name, value] of headers) all.push(name, value)
  if (isCut) all.push('Connection', 'close')
  // A 204 must not announce a length, and HEAD need not (RFC 9110 section 8.6).
  const isEmpty = status === 204 || response.req.method === 'HEAD'
  if (!isEmpty) all.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, all)
  response.end(isEmpty ? undefined : body)
}

class NodeIncoming implements Incoming {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly #request: IncomingMessage
  readonly #base: string | undefined
  #isRead = false
  /** Whether the client goes on sending what nobody reads. */
  isCut = false
  tenantId?: string

  constructor(request: IncomingMessage) {
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
    const named = this.#base ?? `http://${headers.host}`
    return URL.canParse(named) ? new URL(named).origin : `http://localhost:${socket.localPort}`
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const request = this.#request
    if (this.#isRead) return Promise.resolve()
    this.#isRead = true
    // Nothing more is heard of a client that has already gone.
    if (request.destroyed) return Promise.reject(new Interrupted())
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.isCut = true
        request.off('data', onData).pause()
      }
      const onData = (chunk: Uint8Array) => {
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
      request.once('end', resolve)
      request.once('close', () => {
        if (!request.readableEnded) reject(new Interrupted())
      })
    })
  }
}
