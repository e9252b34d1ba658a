import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runFlow } from '../../scripts/follow.ts'
import { initJournal } from '../../src/node/postgres/init.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'

let postgres: TestPostgres

/** Starts a mock on a journal. It is closed when the test ends. */
async function start(journal: string, options: StartOptions = {}) {
  const warnings: string[] = []
  const mock = await startMock({ journal, graceMs: 100, ...options, onWarning: (text) => warnings.push(text) })
  onTestFinished(() => mock.close())
  return { mock, warnings }
}

const create = (mock: RunningMock, key: string) => clientOf(mock, key).call('POST', '/api/v1/workflows', workflow())

describe('a mock on PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test('goes on after a restart with everything that was answered', async () => {
    const journal = await postgres.createJournal()
    const first = await start(journal, { scenario: 'busy-quarter' })
    const key = freshKey()
    const { workflow_id } = (await create(first.mock, key)).json
    await clientOf(first.mock, key).call('POST', '/__admin/clock/advance', { duration: 'P3D' })
    const path = `/api/v1/workflows/${workflow_id}`
    const before = await clientOf(first.mock, key).call('GET', path)
    const executions = await clientOf(first.mock, key).call('GET', '/__admin/executions?limit=10000')
    await first.mock.close()
    const second = await start(journal)
    expect(await clientOf(second.mock, key).call('GET', path)).toMatchObject({ status: 200, json: before.json })
    const after = await clientOf(second.mock, key).call('GET', '/__admin/executions?limit=10000')
    expect(after.json.executions.length).toBeGreaterThan(100)
    expect(after.json.total).toBe(executions.json.total)
  })

  test('verifies upload URLs that were signed before the restart', async () => {
    const journal = await postgres.createJournal()
    const first = await start(journal, { publicBaseUrl: 'http://mock.test' })
    const { upload_url, headers } = await clientOf(first.mock).requested('a.pdf', 3)
    await first.mock.close()
    const second = await start(journal, { publicBaseUrl: 'http://mock.test' })
    const { pathname, search } = new URL(upload_url)
    const put = await fetch(second.mock.url + pathname + search, { method: 'PUT', headers, body: 'abc' })
    expect(put.status).toBe(200)
  })

  test('follows the documented flow', async () => {
    const { mock } = await start(await postgres.createJournal(), { approvers: 'instant' })
    const { passed, printed } = await runFlow(mock.url, freshKey())
    expect(printed).toContain('6 passed')
    expect(passed).toBe(true)
  })

  test('answers 503 while the database is away, and goes on by itself', async () => {
    const journal = await postgres.createJournal()
    const { mock, warnings } = await start(journal)
    const key = freshKey()
    const { workflow_id } = (await create(mock, key)).json
    await postgres.crash()
    const path = `/api/v1/workflows/${workflow_id}`
    for (const answer of [await create(mock, key), await clientOf(mock, key).call('GET', path)]) {
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
      expect(answer.json.code).toMatch(/^(journal-unavailable|outcome-unknown)$/)
    }
    await postgres.restart()
    expect((await clientOf(mock, key).call('GET', path)).status).toBe(200)
    expect((await clientOf(mock, key).call('GET', '/__admin/workflows')).json.workflows).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining('fails'), expect.stringContaining('answers again')])
  })

  test('answers 503 while the database is read-only', async () => {
    const journal = await postgres.createJournal()
    const { mock } = await start(journal)
    const key = freshKey()
    const { workflow_id } = (await create(mock, key)).json
    const name = new URL(journal).pathname.slice(1)
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await postgres.run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`)
    const refused = await create(mock, key)
    expect([refused.status, refused.json.code]).toEqual([503, 'journal-unavailable'])
    expect(refused.json.detail).toContain('read-only')
    expect((await clientOf(mock, key).call('GET', `/api/v1/workflows/${workflow_id}`)).status).toBe(200)
    await postgres.run(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await postgres.run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`)
    expect((await create(mock, key)).status).toBe(201)
    expect((await clientOf(mock, key).call('GET', '/__admin/workflows')).json.workflows).toHaveLength(2)
  })

  test('waits for the database at the start, and gives up', async () => {
    const warnings: string[] = []
    const unreachable = 'postgres://mock:hidden@127.0.0.1:1/none'
    const opening = openPostgres(unreachable, { patienceMs: 100, warn: (text) => warnings.push(text) })
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1\/none did not answer for 0\.1 s: .*\. Start it/,
    )
    expect(warnings).toEqual([expect.stringMatching(/^Waiting up to 0\.1 s for PostgreSQL at 127\.0\.0\.1:1\/none/)])
  })

  test('needs a journal, which init creates once', async () => {
    const url = await postgres.createDatabase()
    await expect(startMock({ journal: url })).rejects.toThrow(/does not exist\. Run countersign journal init/)
    expect(await initJournal(url)).toMatch(/^Created a journal of version 5 in /)
    expect(await initJournal(url)).toMatch(/^The journal has version 5 already/)
    const { mock } = await start(url)
    expect((await create(mock, freshKey())).status).toBe(201)
  })

  test('refuses methods that would not wait', async () => {
    const { mock } = await start(await postgres.createJournal())
    expect(() => mock.reset('test_a')).toThrow('Use the admin API instead.')
  })
})
