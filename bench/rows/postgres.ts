import { availableParallelism } from 'node:os'
import { Client } from 'pg'
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts'
import { Connection, requestBytes } from '../harness/client.ts'
import { connections, expectStatus, oneRequest, throughput } from '../harness/load.ts'
import { compareSides, type Finding, measureInTurns, type Row } from '../harness/row.ts'
import { workflowBody } from '../harness/sample-bodies.ts'
import { type Server, startBareOnPostgres, startMockCommand } from '../harness/servers.ts'
import { createWorkflowRequest, getRequest } from '../harness/service-client.ts'
import { race } from '../harness/throughput.ts'

const rounds = 5
const seconds = 2
/** Three mocks, the database and the client. */
const coresForThree = 5

/** Creating and reading with the state in PostgreSQL, which does not wait for its disk here. */
export const row: Row = {
  name: 'postgres',
  async measure() {
    const postgres = await startPostgres()
    try {
      return [
        await measureCreates(postgres),
        ...(await measureRules(postgres)),
        ...(await measureCost(postgres)),
        await measureReplicas(postgres),
        ...(await measureReads(postgres)),
      ]
    } finally {
      await postgres.close()
    }
  },
}

const startOn = (journal: string) => startMockCommand('--journal', journal)

/** Compares creating through one mock with appending the same records to a table of the same shape. */
async function measureCreates(postgres: TestPostgres): Promise<Finding> {
  const journal = await postgres.createJournal()
  const server = await startOn(journal)
  await createPlainTable(journal)
  const client = new Client({ connectionString: journal })
  await client.connect()
  const counts = async () => {
    const text = 'SELECT count(*) AS events, count(DISTINCT batch) AS batches FROM countersign.events'
    const [{ events, batches }] = (await client.query(text)).rows
    return { events: Number(events), batches: Number(batches) }
  }
  let size = 1
  const create = async () => {
    const before = await counts()
    const perSecond = await throughput(server.url, oneRequest(createWorkflowRequest(server.url), 201), seconds)
    const { events, batches } = await counts()
    size = Math.max(1, Math.round((events - before.events) / (batches - before.batches)))
    return perSecond
  }
  const append = async () => {
    const { rows } = await client.query(`SELECT record FROM countersign.events ORDER BY seq DESC LIMIT ${size}`)
    return appendPlainly(
      client,
      rows.map(({ record }) => record),
    )
  }
  try {
    await create()
    const pairs = await measureInTurns(create, append, rounds)
    const what = `create a workflow through one mock, ${connections} connections, ${size} in a batch`
    return compareSides({ what, beside: 'pg appends such batches', unit: '/s', goal: { atLeast: 0.6 } }, pairs)
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Appends the same batch again and again, each time after the last one. Returns the records per second. */
async function appendPlainly(client: Client, records: readonly unknown[]): Promise<number> {
  const text = `INSERT INTO plain (tenant, seq, batch, record)
    SELECT 'plain', $1::bigint + new.place, gen_random_uuid(), new.record
    FROM json_array_elements($2::json) WITH ORDINALITY AS new (record, place)`
  const [{ last }] = (await client.query("SELECT coalesce(max(seq), 0) AS last FROM plain WHERE tenant = 'plain'")).rows
  const begun = performance.now()
  let done = 0
  while (performance.now() - begun < seconds * 1000) {
    await client.query({ name: 'plain', text, values: [Number(last) + done, JSON.stringify(records)] })
    done += records.length
  }
  return done / ((performance.now() - begun) / 1000)
}

/** Compares creating with a server that does nothing but append each body, which says what HTTP and the database cost without rules. */
async function measureRules(postgres: TestPostgres): Promise<Finding[]> {
  const journal = await postgres.createJournal()
  await createPlainTable(journal)
  const [ours, bare] = [await startOn(journal), await startBareOnPostgres(journal)]
  const create = (server: Server, status: number) => ({
    server,
    task: oneRequest(createWorkflowRequest(server.url), status),
  })
  const sides = { ours: create(ours, 201), theirs: create(bare, 200) }
  const what = `create a workflow, ${connections} connections`
  try {
    return await race({ what, beside: 'bare, which appends each body', ...sides, goal: undefined, rounds })
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}

/** Creates a table of the same shape as that of the records. */
async function createPlainTable(database: string): Promise<void> {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query('CREATE TABLE plain (LIKE countersign.events INCLUDING ALL)')
  await client.end()
}

/** Compares creating with the same in memory, which says what the database alone costs. */
async function measureCost(postgres: TestPostgres): Promise<Finding[]> {
  const [ours, memory] = [await startOn(await postgres.createJournal()), await startMockCommand()]
  const create = (server: Server) => ({ server, task: oneRequest(createWorkflowRequest(server.url), 201) })
  const sides = { ours: create(ours), theirs: create(memory) }
  const what = `create a workflow, ${connections} connections`
  try {
    return await race({ what, beside: 'in memory', ...sides, goal: undefined, rounds })
  } finally {
    await Promise.all([ours.stop(), memory.stop()])
  }
}

/** Compares three mocks with one. Each has the calls of another key. */
async function measureReplicas(postgres: TestPostgres): Promise<Finding> {
  const journal = await postgres.createJournal()
  const servers = [await startOn(journal), await startOn(journal), await startOn(journal)]
  const create = (server: Server, index: number) => {
    const headers = { Authorization: `test_bench_${index}`, 'Content-Type': 'application/json' }
    const body = Buffer.from(JSON.stringify(workflowBody))
    const request = requestBytes('POST', `${server.url}/api/v1/workflows`, headers, body)
    return throughput(server.url, oneRequest(request, 201), seconds)
  }
  const sum = async (some: readonly Server[]) =>
    (await Promise.all(some.map(create))).reduce((all, one) => all + one, 0)
  try {
    const pairs = await measureInTurns(
      () => sum(servers),
      () => sum(servers.slice(0, 1)),
      rounds,
    )
    const goal = availableParallelism() >= coresForThree ? { atLeast: 1.5 } : undefined
    return compareSides({ what: 'create workflows through three mocks', beside: 'one mock', unit: '/s', goal }, pairs)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Compares reading what has not changed with the same in memory. */
async function measureReads(postgres: TestPostgres): Promise<Finding[]> {
  const [ours, memory] = [await startOn(await postgres.createJournal()), await startMockCommand()]
  const read = async (server: Server) => {
    const connection = await Connection.open(server.url)
    const created = expectStatus(201, await connection.send(createWorkflowRequest(server.url)))
    connection.close()
    const path = `/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
    return { server, task: oneRequest(getRequest(server.url + path), 200) }
  }
  const sides = { ours: await read(ours), theirs: await read(memory) }
  const what = `read details without news, ${connections} connections`
  try {
    return await race({ what, beside: 'in memory', ...sides, goal: { atLeast: 0.5 }, rounds })
  } finally {
    await Promise.all([ours.stop(), memory.stop()])
  }
}
