import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Connection, requestBytes } from '../harness/connection.ts'
import { type Finding, inTurns, type Row } from '../harness/measure.ts'
import { startMock } from '../harness/processes.ts'
import { createRequest, executeOften, step } from '../harness/service.ts'

type AdminCall = readonly [method: string, path: string, body?: object]

/** Long work of one key. */
interface Work {
  readonly what: string
  readonly flags?: readonly string[]
  /** How many of them there are before each round. @default 0 */
  readonly workflows?: number
  readonly executions?: number
  /** The workflow that is executed. */
  readonly body?: object
  /** @default One more execution, and reading the details */
  readonly call?: AdminCall
  /** How long the work goes on after the call, in milliseconds. @default 0 */
  readonly after?: number
}

const [open, many] = [30_000, 60_000]
const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
const largeWorkflow = {
  name: 'As large as can be',
  description: '',
  isSequential: true,
  steps: hundred.map((order) =>
    step(order, `step-${order}`, `Step ${order}`, ...hundred.map((index) => `approver-${order}-${index}`)),
  ),
}

const works: readonly Work[] = [
  {
    what: `switching ${open} open executions to instant approvers`,
    flags: ['--approvers', 'manual', '--clock-speed', '0'],
    executions: open,
    call: ['PUT', 'settings', { approvers: 'instant' }],
  },
  {
    what: `advancing the clock by ten years over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    executions: open,
    call: ['POST', 'clock/advance', { duration: 'P3650D' }],
  },
  {
    what: `a million times the speed, over ${open} open executions`,
    flags: ['--clock-speed', '0'],
    executions: open,
    call: ['PUT', 'clock', { speed: 1_000_000 }],
    after: 3000,
  },
  {
    what: 'executing 100 steps of 100 approvers, and reading the details',
    flags: ['--approvers', 'instant'],
    executions: 30,
    body: largeWorkflow,
  },
  { what: 'loading busy-quarter', call: ['POST', 'scenarios/busy-quarter', {}] },
  { what: `reading 10,000 of ${many} events`, workflows: many, call: ['GET', 'journal?limit=10000'] },
  { what: `a reset of ${many} workflows`, workflows: many, call: ['POST', 'reset', {}] },
]

/** The longest wait of another key during long work of one key: the longest turn of the event loop, and a little more. */
export const turns: Row = async () => {
  const findings: Finding[] = []
  for (const work of works) findings.push(await longestWait(work))
  return findings
}

async function longestWait({ what, flags = [], workflows = 0, executions, body, call, after = 0 }: Work) {
  const { url, stop } = await startMock(...flags)
  const connection = await Connection.open(url)
  // The heartbeat has its own thread, so that this process's other work cannot delay it.
  const heartbeat = new Worker(new URL('../heartbeat.js', import.meta.url), { workerData: url })
  const longest = async (): Promise<number> => {
    heartbeat.postMessage('report')
    const [ms] = await once(heartbeat, 'message')
    return ms / 1000
  }
  const steer = (...[method, path, body]: AdminCall) =>
    connection.send(requestBytes(method, `${url}/__admin/${path}`, body))
  const [ours = []] = await inTurns(3, async () => {
    await steer('POST', 'reset', {})
    for (let index = 0; index < workflows; index += 1) await connection.send(createRequest(url))
    const prepared = executions && (await executeOften(connection, url, executions, body))
    await longest()
    if (call) await steer(...call)
    else if (prepared) {
      await connection.send(prepared.execute)
      await connection.send(requestBytes('GET', prepared.details))
    }
    await wait(after)
    return longest()
  })
  await heartbeat.terminate()
  await stop()
  return { what: `another key waits at most, during ${what}`, unit: 's', ours, goal: { atMost: 0.1 } }
}
