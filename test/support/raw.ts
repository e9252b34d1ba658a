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
