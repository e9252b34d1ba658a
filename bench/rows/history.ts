import { Connection } from '../harness/client.ts'
import { expectStatus } from '../harness/load.ts'
import { compareSides, type Pair, type Row } from '../harness/row.ts'
import { type Server, startWithHistory } from '../harness/servers.ts'
import { createWorkflowRequest, executionBody, getRequest, jsonRequest } from '../harness/service-client.ts'
import { quantileOf } from '../routing/statistics.ts'
import { workflowId } from '../simulation.ts'

const few = 10
const many = 1_000_000
const rounds = 5
const reads = 20
const readsBefore = 300

/** Measures the median milliseconds of reading a workflow's details, each time after a new execution has started. */
async function measureRead({ connection, server, document }: Reader, workflow: string, times: number): Promise<number> {
  const details = `${server.url}/api/v1/workflows/${workflow}`
  const took: number[] = []
  for (let index = 0; index < times; index += 1) {
    expectStatus(202, await connection.send(jsonRequest('POST', `${details}/execute`, executionBody(document))))
    const begun = performance.now()
    expectStatus(200, await connection.send(getRequest(details)))
    took.push(performance.now() - begun)
  }
  return quantileOf(took, 0.5)
}

interface Reader {
  readonly server: Server
  readonly connection: Connection
  readonly document: string
}

/** Starts a server and warms it up with another workflow, so that compilation does not affect the comparison. */
async function warmReader(executions: number): Promise<Reader> {
  const server = await startWithHistory(executions)
  const connection = await Connection.open(server.url)
  const reader = { server, connection, document: server.document }
  const { workflow_id } = JSON.parse(expectStatus(201, await connection.send(createWorkflowRequest(server.url))).body)
  await measureRead(reader, workflow_id, readsBefore)
  return reader
}

/** The same read after ten and after a million executions, each time after a change. */
export const row: Row = {
  name: 'history',
  async measure() {
    const after = await warmReader(many)
    const pairs: Pair<number>[] = []
    try {
      for (let round = 0; round < rounds; round += 1) {
        // Each read adds an execution, so every round needs a new small server.
        const before = await warmReader(few)
        pairs.push({
          ours: await measureRead(after, workflowId, reads),
          theirs: await measureRead(before, workflowId, reads),
        })
        before.connection.close()
        await before.server.stop()
      }
    } finally {
      after.connection.close()
      await after.server.stop()
    }
    const what = `read details after a change, ${many.toLocaleString('en')} executions behind it`
    return [compareSides({ what, beside: `${few} behind it`, unit: 'ms', goal: { atMost: 1.25 } }, pairs)]
  },
}
