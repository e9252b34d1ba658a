import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export const key = 'test_bench'

/** Prepares the bytes of a request, so that this is not part of the measured time. An object is sent as JSON. */
export function requestBytes(method: string, url: string, body?: object, authorization = key): Buffer {
  const { host, pathname, search } = new URL(url)
  const isFile = Buffer.isBuffer(body)
  const bytes = isFile ? body : Buffer.from(body ? JSON.stringify(body) : '')
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...(isFile ? [] : [`Authorization: ${authorization}`]),
    ...(body ? [`Content-Type: ${isFile ? fileType : 'application/json'}`] : []),
    ...(method === 'GET' ? [] : [`Content-Length: ${bytes.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

export const fileType = 'application/octet-stream'
const endOfHead = Buffer.from('\r\n\r\n')

/**
 * A persistent connection that sends one request at a time. It implements only the HTTP that the measured servers use, so that
 * the client needs less processor time than a server.
 */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #settle = { resolve: (_: string) => {}, reject: (_: Error) => {} }

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#settle.reject(error))
    socket.on('close', () => this.#settle.reject(new Error('The server closed the connection without an answer.')))
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Returns the body of the answer. Throws if its status is no success. */
  send(request: Uint8Array): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk
    const end = received.indexOf(endOfHead)
    const head = received.toString('latin1', 0, Math.max(0, end))
    const body = received.subarray(end + endOfHead.length)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)
    const isWhole = isChunked ? body.subarray(-5).toString() === '0\r\n\r\n' : body.length >= Number(length ?? 0)
    this.#received = end >= 0 && isWhole ? Buffer.alloc(0) : received
    if (end < 0 || !isWhole) return
    if (head[9] === '2') this.#settle.resolve(body.toString())
    else this.#settle.reject(new Error(`A server answered ${head.slice(9, 12)}: ${body.toString().slice(0, 500)}`))
  }
}
