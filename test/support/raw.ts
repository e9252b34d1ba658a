import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'

/**
 * Sends bytes unchanged. Returns what is received until the answer is complete or the connection is closed. With `keepsOpen`, the
 * server has to close it.
 */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { keepsOpen = false }: { readonly keepsOpen?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => (keepsOpen ? socket.write(bytes) : socket.end(bytes)))
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

export interface ExactAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request with exactly these headers, which `fetch` would not all send. */
export function sendExact(url: string, { body, ...options }: RequestOptions & { readonly body?: string } = {}) {
  return new Promise<ExactAnswer>((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, async (response) => {
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, text: (await response.toArray()).join('') })
    })
    sent.on('error', reject).end(body)
  })
}
