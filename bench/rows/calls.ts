import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection, requestBytes } from '../harness/connection.ts'
import { type Row, race, repeating } from '../harness/measure.ts'
import {
  runCommand,
  type Server,
  startBare,
  startMock,
  startPrism,
  startSelftest,
  temporaryFolder,
} from '../harness/processes.ts'
import { create as createOn, createRequest, executeOften, prepareExecution } from '../harness/service.ts'

const creating = (server: Server) => repeating(server, createRequest(server.url))
const reading = (server: Server, details: string) => repeating(server, requestBytes('GET', details))

/** Starts the bare server, which answers each GET with this text. */
function startBareWith(text: string): Promise<Server> {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, text)
  return startBare(file)
}

/** The creation of a workflow of three steps. The bare server only parses and stringifies the same body. */
export const create: Row = async () => {
  const [mock, bare, prism] = await Promise.all([startMock(), startBare(), startPrism()])
  const common = { what: 'create a workflow, 32 connections', ours: creating(mock) }
  return [
    ...(await race({ ...common, beside: 'bare', theirs: creating(bare), goal: { atLeast: 0.9 } })),
    ...(await race({ ...common, beside: 'Prism', theirs: creating(prism), goal: { atLeast: 15 }, rounds: 5 })),
  ]
}

/** The details with analytics of a hundred executions. The bare server sends the same bytes. */
export const read: Row = async () => {
  const mock = await startMock('--approvers', 'instant')
  const connection = await Connection.open(mock.url)
  const { details } = await executeOften(connection, mock.url, 100)
  const text = await connection.send(requestBytes('GET', details))
  const bare = await startBareWith(text)
  return race({
    what: `read details (${Math.round(text.length / 1024)} KiB), 32 connections`,
    beside: 'bare',
    goal: { atLeast: 0.85 },
    ours: reading(mock, details),
    theirs: reading(bare, bare.url),
  })
}

const mib = Buffer.alloc(1024 * 1024, 'x')

/** Runs the documented flow of seven calls. Returns the details at its end. */
async function runFlow(connection: Pick<Connection, 'send'>, url: string): Promise<string> {
  const details = await createOn(connection, url)
  await connection.send(requestBytes('GET', details))
  await connection.send(await prepareExecution(connection, url, details, mib))
  return connection.send(requestBytes('GET', details))
}

/** The whole flow, with a file of 1 MiB. The bare server gets the same requests. */
export const flow: Row = async () => {
  const mock = await startMock()
  const connection = await Connection.open(mock.url)
  const requests: Uint8Array[] = []
  const recorder = {
    send(request: Uint8Array) {
      requests.push(request)
      return connection.send(request)
    },
  }
  const bare = await startBareWith(await runFlow(recorder, mock.url))
  const repeat = async (open: Connection) => {
    for (const request of requests) await open.send(request)
  }
  return race({
    what: 'flow of 7 calls, 1 MiB file, 8 connections',
    beside: 'bare',
    goal: { atLeast: 0.7 },
    width: 8,
    ours: { server: mock, task: (open) => runFlow(open, mock.url) },
    theirs: { server: bare, task: repeat },
  })
}

/** A deployment with other names, an envelope, and identifiers that count. */
const variant = 'field-case=camel,envelope=success-data,workflow-id=counter'

/** The mock with the profile of a deployment, beside the same mock without one. */
export const like: Row = async () => {
  const deployment = await startSelftest('--variant', variant)
  const folder = temporaryFolder()
  const env = { COUNTERSIGN_API_KEY: 'test_bench_learn', COUNTERSIGN_URL: deployment.url }
  const { code } = await runCommand(['cli/countersign.js', 'learn', '--out', folder], env)
  // 2 says that a part was guessed, which costs the same.
  if (code !== 0 && code !== 2) throw new Error(`Learning ended with exit code ${code}.`)
  const flags = ['--scenario', 'busy-quarter']
  const profile = ['--like', join(folder, 'profile.json')]
  const [mock, plain] = await Promise.all([startMock(...flags, ...profile), startMock(...flags)])
  // Found before workflows are created, since the journal is read from its end.
  const details = { ours: await busyWorkflow(mock), theirs: await busyWorkflow(plain) }
  const beside = 'no profile'
  return [
    ...(await race({
      what: 'create a workflow like a deployment',
      beside,
      costGoal: { atMost: 1.3 },
      ours: creating(mock),
      theirs: creating(plain),
    })),
    ...(await race({
      what: 'read details like a deployment',
      beside,
      costGoal: { atMost: 1.5 },
      ours: reading(mock, details.ours),
      theirs: reading(plain, details.theirs),
    })),
  ]
}

/** Returns the address of a workflow of the scenario. */
async function busyWorkflow({ url }: Server): Promise<string> {
  const connection = await Connection.open(url)
  const created = await connection.send(requestBytes('POST', `${url}/__admin/tenants`, {}))
  const { tenant_id } = JSON.parse(created)
  const journal = await fetch(`${url}/__admin/journal?limit=10000&tenant_id=${tenant_id}`)
  const { events } = (await journal.json()) as { events: readonly { type: string; workflow_id?: string }[] }
  return `${url}/api/v1/workflows/${events.find(({ type }) => type === 'ExecutionStarted')?.workflow_id}`
}
