import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to a server that a test can cut. */
export interface TcpProxy {
  readonly port: number
  /** Holds back all bytes in both directions. No side notices, as when a cable is unplugged. */
  cut(): void
  /** Passes on what was held back, and everything after it. */
  restore(): void
  close(): Promise<void>
}

/** Starts a proxy for a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1' })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (chunk) => other.write(chunk))
      one.on('end', () => other.end())
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        // Even the end of a connection does not arrive.
        if (!isCut) other.destroy()
      })
      if (isCut) one.pause()
      else one.resume()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
