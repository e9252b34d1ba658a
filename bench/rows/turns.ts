import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Connection, requestBytes } from '../harness/connection.ts'
import { type Finding, inTurns, type Row } from '../harness/measure.ts'
import { startMock } from '../harness/processes.ts'
import { createRequest, executeOften, step } from '../harness/service.ts'

/** Long work of one key. */
interface Work {
  readonly what: string
  readonly flags: readonly string[]
  /** Creates the state before each round. Its result is passed to `work`. */
  readonly prepare?: (connection: Connection, url: string) => Promise<Prepared | undefined>
  readonly work: (connection: Connection, url: string, prepared: Prepared | undefined) => Promise<unknown>
}

type Prepared = Awaited<ReturnType<typeof executeOften>>

const [open, many] = [30_000, 60_000]
const executeMany: Work['prepare'] = (connection, url) => executeOften(connection, url, open)

const works: readonly Work[] = [
  {
    what: `switching ${open} open executions to instant approvers`,
    flags: ['--approvers', 'manual', '--clock-speed', '0'],
    prepare: executeMany,
    work: (connection, url) => steer(connection, `${url}/__admin/settings`, { approvers: 'instant' }, 'PUT'),
  },
  {
    what: `advancing the clock by ten years over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    prepare: executeMany,
    work: (connection, url) => steer(connection, `${url}/__admin/clock/advance`, { duration: 'P3650D' }),
  },
  {
    what: `a million times the speed, over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    prepare: executeMany,
    async work(connection, url) {
      await steer(connection, `${url}/__admin/clock`, { speed: 1_000_000 }, 'PUT')
      await wait(3000)
    },
  },
  {
    what: 'executing 100 steps of 100 approvers, and reading the details',
    flags: ['--approvers', 'instant'],
    prepare: (connection, url) => executeOften(connection, url, 30, largeWorkflow),
    async work(connection, _, prepared) {
      if (!prepared) return
      await connection.send(prepared.execute)
      await connection.send(requestBytes('GET', prepared.details))
    },
  },
  {
    what: 'loading busy-quarter',
    flags: [],
    work: (connection, url) => steer(connection, `${url}/__admin/scenarios/busy-quarter`),
  },
  {
    what: `reading 10,000 of ${many} events`,
    flags: [],
    prepare: createMany,
    work: (connection, url) => connection.send(requestBytes('GET', `${url}/__admin/journal?limit=10000`)),
  },
  {
    what: `a reset of ${many} workflows`,
    flags: [],
    prepare: createMany,
    work: (connection, url) => steer(connection, `${url}/__admin/reset`),
  },
]

/** The longest wait of another key during long work of one key: the longest turn of the event loop, and a little more. */
export const turns: Row = async () => {
  const findings: Finding[] = []
  for (const work of works) findings.push(await longestWait(work))
  return findings
}

async function longestWait({ what, flags, prepare, work }: Work): Promise<Finding> {
  const { url, stop } = await startMock(...flags)
  const connection = await Connection.open(url)
  // The heartbeat has its own thread, so that this process's other work cannot delay it.
  const heartbeat = new Worker(new URL('../heartbeat.js', import.meta.url), { workerData: url })
  const longest = async (): Promise<number> => {
    heartbeat.postMessage('report')
    const [ms] = await once(heartbeat, 'message')
    return ms / 1000
  }
  const [ours = []] = await inTurns(3, async () => {
    await steer(connection, `${url}/__admin/reset`)
    const prepared = await prepare?.(connection, url)
    await longest()
    await work(connection, url, prepared)
    return longest()
  })
  await heartbeat.terminate()
  await stop()
  return { what: `another key waits at most, during ${what}`, unit: 's', ours, goal: { atMost: 0.1 } }
}

function steer(connection: Connection, url: string, body = {}, method = 'POST'): Promise<string> {
  return connection.send(requestBytes(method, url, body))
}

async function createMany(connection: Connection, url: string): Promise<undefined> {
  for (let index = 0; index < many; index += 1) await connection.send(createRequest(url))
}

const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
const largeWorkflow = {
  ...{ name: 'As large as can be', description: '', isSequential: true },
  steps: hundred.map((order) =>
    step(order, `step-${order}`, `Step ${order}`, ...hundred.map((index) => `approver-${order}-${index}`)),
  ),
}
