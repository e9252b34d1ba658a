import { Connection } from '../harness/client.ts'
import { mustHave } from '../harness/load.ts'
import { compared, type Pair, type Row } from '../harness/row.ts'
import { type Server, withHistory } from '../harness/servers.ts'
import { call, createWorkflow, execution, get } from '../harness/service-client.ts'
import { quantileOf } from '../routing/statistics.ts'
import { workflowId } from '../simulation.ts'

const few = 10
const many = 1_000_000
const rounds = 5
const reads = 20
const readsBefore = 300

/** Median milliseconds of reading the details of a workflow, each time after another execution has begun. */
async function reading({ connection, server, document }: Reader, workflow: string, times: number): Promise<number> {
  const details = `${server.url}/api/v1/workflows/${workflow}`
  const took: number[] = []
  for (let index = 0; index < times; index += 1) {
    mustHave(202, await connection.send(call('POST', `${details}/execute`, execution(document))))
    const begun = performance.now()
    mustHave(200, await connection.send(get(details)))
    took.push(performance.now() - begun)
  }
  return quantileOf(took, 0.5)
}

interface Reader {
  readonly server: Server
  readonly connection: Connection
  readonly document: string
}

/** A server that has warmed up with another workflow, so that its compiled code is not what is compared. */
async function warmReader(executions: number): Promise<Reader> {
  const server = await withHistory(executions)
  const connection = await Connection.open(server.url)
  const reader = { server, connection, document: server.document }
  const { workflow_id } = JSON.parse(mustHave(201, await connection.send(createWorkflow(server.url))).body)
  await reading(reader, workflow_id, readsBefore)
  return reader
}

/** The same read with ten and with a million executions behind it, each time after a change. */
export const row: Row = {
  name: 'history',
  async measure() {
    const after = await warmReader(many)
    const pairs: Pair<number>[] = []
    try {
      for (let round = 0; round < rounds; round += 1) {
        // Reading goes with executions, so there is a new one of the small server for each round.
        const before = await warmReader(few)
        pairs.push({ ours: await reading(after, workflowId, reads), theirs: await reading(before, workflowId, reads) })
        before.connection.close()
        await before.server.stop()
      }
    } finally {
      after.connection.close()
      await after.server.stop()
    }
    const what = `read details after a change, ${many.toLocaleString('en')} executions behind it`
    return [compared({ what, beside: `${few} behind it`, unit: 'ms', goal: { atMost: 1.25 } }, pairs)]
  },
}
