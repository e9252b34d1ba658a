import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { latenciesAt, oneRequest } from '../harness/load.ts'
import { measureAlone, type Row } from '../harness/row.ts'
import { startMockCommand } from '../harness/servers.ts'
import { createWorkflowRequest } from '../harness/service-client.ts'
import { quantileOf } from '../routing/statistics.ts'

const [perSecond, seconds, width] = [200, 3, 500]

/** The 99th percentile of calls while many connections have sent incomplete headers and stay open. */
export const row: Row = {
  name: 'half-open',
  async measure() {
    const server = await startMockCommand()
    const { hostname, port } = new URL(server.url)
    const openHalf = async (): Promise<Socket> => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
      return socket
    }
    const p99 = async () => {
      const halfOpen = await Promise.all(Array.from({ length: width }, openHalf))
      const latencies = await latenciesAt(
        server.url,
        oneRequest(createWorkflowRequest(server.url), 201),
        perSecond,
        seconds,
      )
      for (const socket of halfOpen) socket.destroy()
      return quantileOf(latencies, 0.99) / 1000
    }
    try {
      return [
        await measureAlone(
          `p99 of create at ${perSecond}/s beside ${width} half-open connections`,
          's',
          { atMost: 0.25 },
          p99,
        ),
      ]
    } finally {
      await server.stop()
    }
  },
}
