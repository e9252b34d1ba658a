import { Random } from '../../src/world/random.ts'
import { type Answer, Connection } from './client.ts'

/** The default number of parallel connections. */
export const connections = 32

/** The work that a connection repeats. Throws if an answer is not as expected. */
export type Task = (connection: Connection) => Promise<unknown>

/** Creates a task that sends one request and expects one status. */
export function oneRequest(request: Uint8Array, status: number): Task {
  return async (connection) => expectStatus(status, await connection.send(request))
}

export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer
  throw new Error(`A server answered ${answer.status} instead of ${status}: ${answer.body.slice(0, 500)}`)
}

/** Measures tasks per second. Each connection starts its next task as soon as the last has ended. */
export async function throughput(url: string, task: Task, seconds: number, width = connections): Promise<number> {
  return await withConnections(url, width, async (open) => {
    const begun = performance.now()
    const end = begun + seconds * 1000
    let done = 0
    await Promise.all(
      open.map(async (connection) => {
        while (performance.now() < end) {
          await task(connection)
          done += 1
        }
      }),
    )
    return done / ((performance.now() - begun) / 1000)
  })
}

/**
 * Measures latencies in milliseconds in an open loop: arrivals are a Poisson process fixed in advance. The latency of a task
 * starts when it is due, even if all connections are busy then.
 */
export async function latenciesAt(url: string, task: Task, perSecond: number, seconds: number): Promise<number[]> {
  const luck = new Random('arrivals')
  const due: number[] = []
  for (let at = 0; at < seconds * 1000; ) {
    due.push(at)
    at += (-Math.log(1 - luck.draw()) / perSecond) * 1000
  }
  return await withConnections(url, connections * 2, async (idle) => {
    const begun = performance.now()
    const latencies: number[] = []
    const running: Promise<unknown>[] = []
    let next = 0
    while (next < due.length) {
      const at = due[next] ?? 0
      const connection = performance.now() - begun >= at ? idle.pop() : undefined
      if (!connection) {
        // Timers are too coarse; the client has a core of its own.
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      next += 1
      const done = () => {
        latencies.push(performance.now() - begun - at)
        idle.push(connection)
      }
      running.push(task(connection).then(done))
    }
    await Promise.all(running)
    return latencies
  })
}

async function withConnections<T>(url: string, width: number, use: (open: Connection[]) => Promise<T>): Promise<T> {
  const open = await Promise.all(Array.from({ length: width }, () => Connection.open(url)))
  try {
    return await use([...open])
  } finally {
    for (const connection of open) connection.close()
  }
}
