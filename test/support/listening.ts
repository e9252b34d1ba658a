import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { errorAnswers } from '../../src/http/answer-error.ts'
import { type EdgeOptions, serverOf } from '../../src/node/http.ts'
import type { App } from '../../src/wire/exchange.ts'

/** Creates a server for an app, and reports no faults. */
export const quietServer = (app: App, options: EdgeOptions = {}) =>
  serverOf(
    app,
    errorAnswers(() => {}),
    options,
  )

/** Has a server listen on a free port of this machine until the test ends, which ends its connections too. Returns the port. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
