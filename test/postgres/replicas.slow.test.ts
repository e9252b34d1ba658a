import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { runFlow } from '../../scripts/follow.ts'
import { Random } from '../../src/world/random.ts'
import { NotSent, recordHistory, requestTo, type Send, violationIn } from '../support/call-history.ts'
import { listen } from '../support/listen.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type Replica, startReplica } from '../support/replicas.ts'
import { freshKey } from '../support/service.ts'

let postgres: TestPostgres

const sizes = { calls: Number(process.env.HISTORY_CALLS ?? 600), kills: Number(process.env.HISTORY_KILLS ?? 4) }

/** Starts replicas on a new journal. They end with the test. */
async function startReplicas(count: number, options = {}) {
  const journal = await postgres.createJournal()
  const replicas: Replica[] = []
  for (let number = 0; number < count; number += 1) replicas.push(await startReplica(journal, options))
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
  })
  return { journal, replicas }
}

/** Rejects with what a lost connection means, a little later: the mock may be about to start again. */
async function explain(error: Error): Promise<never> {
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  if (code !== 'ECONNREFUSED') throw error
  await pause(50)
  throw new NotSent()
}

/** Serves an address that passes each request to another replica. */
async function balance(replicas: readonly Replica[]) {
  let turn = 0
  const server = await listen(async (request) => {
    turn += 1
    const { pathname, search } = new URL(request.url)
    const { url } = replicas[turn % replicas.length] as Replica
    const body = request.body ? { body: await request.arrayBuffer() } : {}
    const headers = new Headers(request.headers)
    for (const name of ['connection', 'transfer-encoding', 'keep-alive']) headers.delete(name)
    const answer = await fetch(url + pathname + search, { method: request.method, headers, ...body })
    return new Response(answer.body, { status: answer.status, headers: answer.headers })
  })
  onTestFinished(() => server.close())
  return server.url
}

describe('three mocks on PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test('pass the suite and the flow with each request at another one', async () => {
    const { replicas } = await startReplicas(3)
    const url = await balance(replicas)
    const { verdict } = await run({ url, apiKey: freshKey(), time: virtualTime() })
    expect(verdict).toBe('conforming')
    const { passed, printed } = await runFlow(url, freshKey())
    expect(printed).toContain('6 passed')
    expect(passed).toBe(true)
  })

  test('go on with the timers of a killed mock, for a tenant that they have not loaded', async () => {
    const options = { approvers: 'auto', clockSpeed: 3600 } as const
    const { journal, replicas } = await startReplicas(2, options)
    const [first] = replicas as [Replica]
    const key = freshKey()
    const { passed } = await runFlow(first.url, key)
    expect(passed).toBe(true)
    await first.end('SIGKILL')
    const events = async () => {
      const { rows } = await postgres.ask(
        journal,
        "SELECT record->>'type' AS type FROM countersign.events ORDER BY seq",
      )
      return rows.map(({ type }) => type)
    }
    let seen = await events()
    expect(seen).toContain('ExecutionStarted')
    while (!seen.includes('ExecutionCompleted')) {
      await pause(50)
      seen = await events()
    }
    expect(seen.filter((type) => type === 'ExecutionCompleted')).toHaveLength(1)
  })

  test('answer as one while they are killed and paused', async () => {
    const { journal, replicas } = await startReplicas(3, { approvers: 'manual' })
    const luck = new Random('trouble')
    const mocks = replicas.map((_, index): Send => {
      return (request) => fetch(requestTo((replicas[index] as Replica).url, request)).catch(explain)
    })
    const key = freshKey()
    let isOver = false
    const trouble = async () => {
      let [kills, pauses] = [0, 0]
      while (!isOver && kills < sizes.kills) {
        await pause(200 + luck.draw() * 400)
        const index = Math.floor(luck.draw() * replicas.length)
        const victim = replicas[index] as Replica
        if (luck.draw() < 0.3) {
          victim.process.kill('SIGSTOP')
          await pause(500 + luck.draw() * 3500)
          victim.process.kill('SIGCONT')
          pauses += 1
        } else {
          await victim.end('SIGKILL')
          replicas[index] = await startReplica(journal, { approvers: 'manual' })
          kills += 1
        }
      }
      return { kills, pauses }
    }
    const history = recordHistory({ key, seed: 'replicas', mocks, clients: 8, calls: sizes.calls })
    const [histories, troubles] = await Promise.all([history.finally(() => (isOver = true)), trouble()])
    expect(troubles.kills + troubles.pauses).toBeGreaterThan(0)
    expect(violationIn(nonEmpty(histories))).toBeUndefined()
    const operations = histories.flat()
    const unknown = operations.filter(({ output }) => output === undefined).length
    process.stderr.write(`${operations.length} calls, ${unknown} unknown, ${JSON.stringify(troubles)}\n`)
  })
})
