import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { runFlow } from '../../scripts/follow.ts'
import type { Mock } from '../../src/index.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import { Random } from '../../src/world/random.ts'
import { type Cable, plugIn, plugInNamespace } from '../support/cables.ts'
import { NotSent, recordHistory, requestTo, type Send, violationIn } from '../support/call-history.ts'
import { listen } from '../support/listen.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { type Replica, startReplica } from '../support/replicas.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

/** The size of the long history. The environment makes it larger, such as 10,000 calls with 50 kills, 20 pauses and 20 cuts. */
const sizes = {
  calls: Number(process.env.HISTORY_CALLS ?? 400),
  kills: Number(process.env.HISTORY_KILLS ?? 2),
  pauses: Number(process.env.HISTORY_PAUSES ?? 1),
  cuts: Number(process.env.HISTORY_CUTS ?? 1),
}
/** `HISTORY_NETWORK=namespaces`, which needs root, cuts mocks off by unplugging the cables of network namespaces. */
const inNamespaces = process.env.HISTORY_NETWORK === 'namespaces'
const longMs = 60 * 60_000

const postgres = await sharedPostgres(inNamespaces ? '10.0.0.0/8' : undefined)

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

/** Serves an address that passes each request to another mock. */
async function balance(mocks: readonly Mock[]) {
  let turn = 0
  const server = await listen((request) => {
    turn += 1
    return (mocks[turn % mocks.length] as Mock).fetch(request)
  })
  onTestFinished(() => server.close())
  return server.url
}

describe('three mocks on PostgreSQL', () => {
  test('pass the suite and the flow with each request at another one', async () => {
    const [journal, mocks] = [await postgres.createJournal(), [] as Mock[]]
    const url = await balance(mocks)
    for (const _ of [1, 2, 3]) {
      const stream = await openPostgres(journal)
      const mock = await buildSharedMock({}, stream)
      onTestFinished(async () => {
        mock.tenants.stop()
        await stream.close()
      })
      mocks.push(mock)
    }
    const { verdict } = await run({ url, apiKey: freshKey(), time: virtualTime() })
    expect(verdict).toBe('conforming')
    const { passed, printed } = await runFlow(url, freshKey())
    expect(printed).toContain('6 passed')
    expect(passed).toBe(true)
  })

  test('take over the timers of a paused mock and of a killed one', async () => {
    const { journal, replicas } = await startReplicas(2, { approvers: 'auto', clockSpeed: 3600 })
    const [first, second] = replicas as [Replica, Replica]
    const select = "SELECT record->>'type' AS type FROM countersign.events ORDER BY seq"
    const events = async () => (await postgres.ask(journal, select)).rows.map(({ type }) => type)
    const completed = async () => (await events()).filter((type) => type === 'ExecutionCompleted').length
    const begin = async () => {
      const key = freshKey()
      expect((await runFlow(first.url, key)).passed).toBe(true)
      expect(await events()).toContain('ExecutionStarted')
      return key
    }
    const key = await begin()
    first.process.kill('SIGSTOP')
    // The other mock has not loaded the tenant.
    await expect.poll(completed).toBe(1)
    first.process.kill('SIGCONT')
    const executions = async ({ url }: Replica) =>
      (await fetch(requestTo(url, { method: 'GET', path: '/__admin/executions', key }))).json()
    const seen = await events()
    expect(await executions(first)).toEqual(await executions(second))
    expect(await events()).toEqual(seen)
    await begin()
    first.process.kill('SIGKILL')
    await expect.poll(completed).toBe(2)
  })

  test('wake those that follow a tenant', async () => {
    const journal = await postgres.createJournal()
    const [first, second] = [await started({ journal }), await started({ journal })]
    const { key } = first
    const follower = clientOf(second.mock, key)
    await follower.created()
    const followed = await fetch(requestTo(second.mock.url, { method: 'GET', path: '/__admin/stream', key }))
    const reader = (followed.body as ReadableStream<Uint8Array>).getReader()
    onTestFinished(() => reader.cancel())
    const { workflow_id } = await first.created()
    for (let shown = ''; !shown.includes(workflow_id); ) {
      expect((await reader.read()).done).toBe(false)
      shown = (await follower.call('GET', '/__admin/changes?after_event=0')).text
    }
  })

  test(
    'answer as one while they are killed, paused and cut off from the database',
    async () => {
      const journal = await postgres.createJournal()
      const adminToken = 'of the test'
      // Files are sent to any of them, as through a proxy.
      const options = { approvers: 'manual', adminToken, publicBaseUrl: 'http://mock.test' } as const
      const replicas: Replica[] = []
      const cables: Cable[] = []
      const start = async (index: number) => {
        const { command, host, databaseUrl } = cables[index] as Cable
        replicas[index] = await startReplica(databaseUrl, { ...options, host }, command)
      }
      onTestFinished(async () => {
        await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
        await Promise.all(cables.map((cable) => cable.close()))
      })
      for (const index of [0, 1, 2]) {
        cables.push(await (inNamespaces ? plugInNamespace(journal) : plugIn(journal)))
        await start(index)
      }
      const luck = new Random('trouble')
      const mocks = replicas.map((_, index): Send => {
        return (call) => {
          const request = requestTo((replicas[index] as Replica).url, call)
          request.headers.set('X-Admin-Token', adminToken)
          return fetch(request).catch(explain)
        }
      })
      const left = { kills: sizes.kills, pauses: sizes.pauses, cuts: sizes.cuts }
      const done = { kills: 0, pauses: 0, cuts: 0 }
      const waiting = () => Object.entries(left).flatMap(([kind, count]) => new Array<string>(count).fill(kind))
      const trouble = async () => {
        for (let kinds = waiting(); kinds.length > 0; kinds = waiting()) {
          await pause(200 + luck.draw() * 400)
          const kind = kinds[Math.floor(luck.draw() * kinds.length)] as keyof typeof left
          const index = Math.floor(luck.draw() * replicas.length)
          const victim = replicas[index] as Replica
          if (kind === 'kills') {
            await victim.end('SIGKILL')
            await start(index)
          } else {
            const cable = cables[index] as Cable
            if (kind === 'cuts') cable.cut()
            else victim.process.kill('SIGSTOP')
            await pause(500 + luck.draw() * 3500)
            if (kind === 'cuts') cable.restore()
            else victim.process.kill('SIGCONT')
          }
          left[kind] -= 1
          done[kind] += 1
        }
      }
      let isOver = false
      const [histories] = await Promise.all([
        recordHistory({
          ...{ key: freshKey(), seed: 'replicas', mocks, clients: 8, calls: sizes.calls },
          goesOn: () => !isOver,
        }),
        trouble().finally(() => {
          isOver = true
        }),
      ])
      expect(violationIn(nonEmpty(histories))).toBeUndefined()
      const operations = histories.flat()
      const unknown = operations.filter(({ output }) => output === undefined).length
      process.stderr.write(`${operations.length} calls, ${unknown} unknown, ${JSON.stringify(done)}\n`)
    },
    longMs,
  )
})
