import { connect } from 'node:net'

/** Sends bytes unchanged. Returns what is received until the answer is complete or the connection is closed. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}
