import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Connection } from '../harness/client.ts'
import { expectStatus } from '../harness/load.ts'
import { type Finding, measureAlone, type Row } from '../harness/row.ts'
import { startMockCommand } from '../harness/servers.ts'
import {
  confirmDocument,
  createWorkflowRequest,
  executionBody,
  getRequest,
  jsonRequest,
} from '../harness/service-client.ts'

/** Long work of one key. */
interface Case {
  readonly what: string
  readonly flags: readonly string[]
  /** Creates the state before each round. Its result is passed to `work`. */
  readonly prepare: (connection: Connection, url: string) => Promise<string>
  readonly work: (connection: Connection, url: string, prepared: string) => Promise<void>
}

const [open, many] = [30_000, 60_000]

const cases: readonly Case[] = [
  {
    what: `switching ${open} open executions to instant approvers`,
    flags: ['--approvers', 'manual', '--clock-speed', '0'],
    prepare: (connection, url) => execute(connection, url, open),
    work: (connection, url) => steer(connection, 200, 'PUT', `${url}/__admin/settings`, { approvers: 'instant' }),
  },
  {
    what: `advancing the clock by ten years over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    prepare: (connection, url) => execute(connection, url, open),
    work: (connection, url) => steer(connection, 200, 'POST', `${url}/__admin/clock/advance`, { duration: 'P3650D' }),
  },
  {
    what: `a million times the speed, over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    prepare: (connection, url) => execute(connection, url, open),
    async work(connection, url) {
      await steer(connection, 200, 'PUT', `${url}/__admin/clock`, { speed: 1_000_000 })
      await new Promise((resolve) => setTimeout(resolve, 3000))
    },
  },
  {
    what: 'executing 100 steps of 100 approvers, and reading the details',
    flags: ['--approvers', 'instant'],
    prepare: (connection, url) => executeLarge(connection, url, 30),
    async work(connection, _, prepared) {
      const [details = '', documentId = ''] = prepared.split(' ')
      expectStatus(202, await connection.send(jsonRequest('POST', `${details}/execute`, executionBody(documentId))))
      expectStatus(200, await connection.send(getRequest(details)))
    },
  },
  {
    what: 'loading busy-quarter',
    flags: [],
    prepare: async () => '',
    work: (connection, url) => steer(connection, 204, 'POST', `${url}/__admin/scenarios/busy-quarter`),
  },
  {
    what: `reading 10,000 of ${many} events`,
    flags: [],
    prepare: (connection, url) => create(connection, url, many),
    async work(connection, url) {
      expectStatus(200, await connection.send(getRequest(`${url}/__admin/journal?limit=10000`)))
    },
  },
  {
    what: `a reset of ${many} workflows`,
    flags: [],
    prepare: (connection, url) => create(connection, url, many),
    work: (connection, url) => steer(connection, 204, 'POST', `${url}/__admin/reset`),
  },
]

/** The longest wait of another key during long work of one key: the longest turn of the event loop, and a little more. */
export const row: Row = {
  name: 'turns',
  async measure() {
    const findings: Finding[] = []
    for (const each of cases) findings.push(await longestWait(each))
    return findings
  },
}

async function longestWait({ what, flags, prepare, work }: Case): Promise<Finding> {
  const server = await startMockCommand(...flags)
  const connection = await Connection.open(server.url)
  // The heartbeat has its own thread, so that this process's other work cannot delay it.
  const heartbeat = new Worker(new URL('../servers/heartbeat.js', import.meta.url), { workerData: server.url })
  const longest = async (): Promise<number> => {
    heartbeat.postMessage('report')
    const [ms] = await once(heartbeat, 'message')
    return ms / 1000
  }
  const round = async () => {
    await steer(connection, 204, 'POST', `${server.url}/__admin/reset`)
    const prepared = await prepare(connection, server.url)
    await longest()
    await work(connection, server.url, prepared)
    return await longest()
  }
  try {
    return await measureAlone(`another key waits at most, during ${what}`, 's', { atMost: 0.1 }, round, 3)
  } finally {
    connection.close()
    await heartbeat.terminate()
    await server.stop()
  }
}

async function steer(connection: Connection, status: number, method: 'POST' | 'PUT', url: string, body?: object) {
  expectStatus(status, await connection.send(jsonRequest(method, url, body ?? {})))
}

async function create(connection: Connection, url: string, count: number): Promise<string> {
  for (let index = 0; index < count; index += 1) expectStatus(201, await connection.send(createWorkflowRequest(url)))
  return ''
}

/** Executes a workflow `count` times. Returns the address of its details and the document's id. */
async function execute(connection: Connection, url: string, count: number, request = createWorkflowRequest(url)) {
  const created = expectStatus(201, await connection.send(request))
  const details = `${url}/api/v1/workflows/${JSON.parse(created.body).workflow_id}`
  const documentId = await confirmDocument(connection, url, Buffer.from('file'))
  const start = jsonRequest('POST', `${details}/execute`, executionBody(documentId))
  for (let index = 0; index < count; index += 1) expectStatus(202, await connection.send(start))
  return `${details} ${documentId}`
}

function executeLarge(connection: Connection, url: string, count: number): Promise<string> {
  const approvers = (step: number) =>
    Array.from({ length: 100 }, (_, index) => ({ email: `approver-${step}-${index}@example.com`, name: 'Robin' }))
  const steps = Array.from({ length: 100 }, (_, index) => ({
    step_id: `step-${index}`,
    name: `Step ${index}`,
    order: index + 1,
    type: 'approval',
    approvers: approvers(index),
    estimated_duration: 30,
  }))
  const body = { name: 'As large as can be', description: '', isSequential: true, steps }
  return execute(connection, url, count, jsonRequest('POST', `${url}/api/v1/workflows`, body))
}
