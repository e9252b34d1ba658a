import { Random } from '../../src/world/random.ts'
import { type Answer, Connection } from './client.ts'

/** Connections that send side by side, where nothing else is said. */
export const connections = 32

/** What one connection does again and again; it throws where an answer is not the one expected. */
export type Task = (connection: Connection) => Promise<unknown>

/** A task of one request, the same each time, with the status that it must get. */
export function oneRequest(request: Uint8Array, status: number): Task {
  return async (connection) => mustHave(status, await connection.send(request))
}

export function mustHave(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer
  throw new Error(
    `Failed to measure: because a server answered ${answer.status} instead of ${status}: ${answer.body.slice(0, 500)}`,
  )
}

/** Tasks done in a second, each connection beginning the next as soon as its last is done. */
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
 * Latencies in milliseconds at a rate that does not wait for answers: arrivals are a Poisson process fixed in advance, and a
 * task that finds every connection busy has been waiting since it was due.
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
