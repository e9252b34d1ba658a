import { Connection, requestBytes } from '../harness/client.ts'
import { compared, inTurns, type Row } from '../harness/row.ts'
import { bare, memoryOf, mock, prism, type Server } from '../harness/servers.ts'

async function answered(server: Server): Promise<void> {
  const connection = await Connection.open(server.url)
  await connection.send(requestBytes('GET', `${server.url}/`))
  connection.close()
}

/** Milliseconds from the command to its first answer. */
async function coldStart(start: () => Promise<Server>): Promise<number> {
  const begun = performance.now()
  const server = await start()
  await answered(server)
  const took = performance.now() - begun
  await server.stop()
  return took
}

/** Resident memory in MiB, a second after the first answer. */
async function idleMemory(start: () => Promise<Server>): Promise<number> {
  const server = await start()
  await answered(server)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const { now } = memoryOf(server)
  await server.stop()
  return now
}

/** From the command to its first answer, and what it takes up when nothing is asked of it. */
export const row: Row = {
  name: 'start',
  async measure() {
    const cold = { what: 'cold start to first answer', unit: 'ms' }
    const idle = { what: 'idle memory', unit: 'MiB' }
    const ourStart = () => coldStart(() => mock())
    const plainStarts = await inTurns(ourStart, () => coldStart(() => bare()), 15)
    const prismStarts = await inTurns(ourStart, () => coldStart(prism), 5)
    const memories = await inTurns(
      () => idleMemory(() => mock()),
      () => idleMemory(() => bare()),
      5,
    )
    return [
      compared({ ...cold, beside: 'bare', goal: { atMost: 2 } }, plainStarts),
      compared({ ...cold, beside: 'Prism', goal: { atMost: 0.25 } }, prismStarts),
      compared({ ...idle, beside: 'bare', goal: { atMost: 1.6 } }, memories),
    ]
  },
}
