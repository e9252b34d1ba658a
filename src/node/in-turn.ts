import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Passes on the requests of a connection one after the other, each when the system has taken the answer before it. Node passes on
 * all that a client sends without waiting for answers, and keeps these in memory until the client reads them. While a request waits
 * here, no more is read from its connection.
 */
export function answerInTurn(answer: RequestListener): RequestListener {
  /** How many requests of a connection wait. */
  const waiting = new WeakMap<Socket, number>()
  const pauseIfBehind = (socket: Socket) => {
    if (!waiting.get(socket)) return
    socket.pause()
    // A resumption that is still under way starts reading, and the pause before it is not repeated.
    socket.emit('pause')
  }
  return (request, response) => {
    if (response.socket) return answer(request, response)
    const { socket } = request
    // Node resumes the connection for the body of an earlier request.
    if (!waiting.has(socket)) socket.on('resume', () => pauseIfBehind(socket))
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    pauseIfBehind(socket)
    // A response gets its socket when the one before it has left.
    response.once('socket', () => {
      const others = (waiting.get(socket) ?? 1) - 1
      waiting.set(socket, others)
      if (others === 0) socket.resume()
      answer(request, response)
    })
  }
}
