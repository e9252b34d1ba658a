import { Connection, requestBytes } from '../harness/client.ts'
import { compareSides, measureInTurns, type Row } from '../harness/row.ts'
import { memoryOf, type Server, startBare, startMockCommand, startPrism } from '../harness/servers.ts'

async function awaitFirstAnswer(server: Server): Promise<void> {
  const connection = await Connection.open(server.url)
  await connection.send(requestBytes('GET', `${server.url}/`))
  connection.close()
}

/** Measures the milliseconds from the command to the first answer. */
async function coldStart(start: () => Promise<Server>): Promise<number> {
  const begun = performance.now()
  const server = await start()
  await awaitFirstAnswer(server)
  const took = performance.now() - begun
  await server.stop()
  return took
}

/** Measures the resident memory in MiB, a second after the first answer. */
async function idleMemory(start: () => Promise<Server>): Promise<number> {
  const server = await start()
  await awaitFirstAnswer(server)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const { now } = memoryOf(server)
  await server.stop()
  return now
}

/** The time from the command to the first answer, and the memory of an idle server. */
export const row: Row = {
  name: 'start',
  async measure() {
    const cold = { what: 'cold start to first answer', unit: 'ms' }
    const idle = { what: 'idle memory', unit: 'MiB' }
    const ourStart = () => coldStart(() => startMockCommand())
    const plainStarts = await measureInTurns(ourStart, () => coldStart(() => startBare()), 15)
    const prismStarts = await measureInTurns(ourStart, () => coldStart(startPrism), 5)
    const memories = await measureInTurns(
      () => idleMemory(() => startMockCommand()),
      () => idleMemory(() => startBare()),
      5,
    )
    return [
      compareSides({ ...cold, beside: 'bare', goal: { atMost: 2 } }, plainStarts),
      compareSides({ ...cold, beside: 'Prism', goal: { atMost: 0.25 } }, prismStarts),
      compareSides({ ...idle, beside: 'bare', goal: { atMost: 1.6 } }, memories),
    ]
  },
}
