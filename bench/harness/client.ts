import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Prepares the bytes of a request, so that this is not part of the measured time. */
export function requestBytes(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = method === 'GET' ? '' : `Content-Length: ${body.byteLength}\r\n`
  return Buffer.concat([Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}${length}\r\n`), body])
}

interface Pending {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

const endOfHead = Buffer.from('\r\n\r\n')

/**
 * A persistent connection that sends one request at a time. It implements only the HTTP that the measured servers use, so that
 * the client needs less processor time than a server.
 */
export class Connection {
  readonly #socket: Socket
  #received: Buffer | undefined
  #pending: Pending | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server closed the connection without an answer.')))
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  send(request: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#pending = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk
    const answer = answerIn(received)
    this.#received = answer ? undefined : received
    if (!answer) return
    const pending = this.#pending
    this.#pending = undefined
    pending?.resolve(answer)
  }

  #fail(error: Error): void {
    this.#pending?.reject(error)
    this.#pending = undefined
  }
}

/** Parses an answer. Returns undefined while a part of it is missing. */
function answerIn(received: Buffer): Answer | undefined {
  const end = received.indexOf(endOfHead)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const start = end + endOfHead.length
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const rest = received.length - start
    return rest < Number(length) ? undefined : { status, body: received.toString('utf8', start) }
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, body: '' }
  const text = received.toString('utf8', start)
  return text.endsWith('0\r\n\r\n') ? { status, body: decodeChunks(text) } : undefined
}

/** Decodes a chunked body of ASCII characters. */
function decodeChunks(text: string): string {
  let rest = text
  let body = ''
  for (;;) {
    const line = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, line), 16)
    if (!(size > 0)) return body
    body += rest.slice(line + 2, line + 2 + size)
    rest = rest.slice(line + 4 + size)
  }
}
