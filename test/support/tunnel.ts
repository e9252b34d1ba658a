import { createServer } from 'node:http'
import { connect } from 'node:net'
import { listening } from './listening.ts'

/** Starts a proxy whose tunnels all lead to a port of this machine. `asked` has the addresses that clients ask for. */
export async function tunnelTo(target: number) {
  const asked = new Set<string>()
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.add(url)
    const through = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    through.pipe(socket).pipe(through)
    for (const one of [socket, through]) one.on('error', () => one.destroy())
  })
  return { port: await listening(proxy), asked }
}
