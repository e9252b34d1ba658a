import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server on a free port until the current test ends, which ends its connections too, including tunnels. Returns the port. */
export async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Starts a proxy whose tunnels all lead to a port of this machine. `asked` has the addresses that clients ask for. */
export async function tunnelTo(target: number) {
  const asked = new Set<string>()
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.add(url)
    const through = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    through.pipe(socket).pipe(through)
    for (const one of [socket, through]) one.on('error', () => one.destroy())
  })
  return { port: await portOf(proxy), asked }
}
