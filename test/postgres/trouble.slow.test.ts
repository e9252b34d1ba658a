import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { type Position, start as startOfStream } from '../../src/world/shared/stream.ts'
import { requestTo } from '../support/call-history.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { freshKey, workflow } from '../support/service.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

let postgres: TestPostgres

async function start(journal: string): Promise<RunningMock> {
  const mock = await startMock({ journal, graceMs: 100 })
  onTestFinished(() => mock.close())
  return mock
}

async function call({ url }: RunningMock, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(requestTo(url, { method, path, key, ...(body !== undefined && { body }) }))
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), json: await response.json() }
}

const create = (mock: RunningMock, key: string, name: string) =>
  call(mock, key, 'POST', '/api/v1/workflows', { ...workflow(), name })

async function namesOf(mock: RunningMock, key: string): Promise<string[]> {
  const { json } = await call(mock, key, 'GET', '/__admin/workflows')
  return json.workflows.map(({ name }: { name: string }) => name).sort()
}

/** Disturbs a database. Returns how to end that. */
type Disturb = (journal: string) => Promise<() => Promise<unknown>>

const slow: Disturb = async (journal) => {
  const client = new Client({ connectionString: journal })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE countersign.streams IN ACCESS EXCLUSIVE MODE')
  return () => client.end()
}

/** A disk cannot be filled by an unprivileged user, so the database says what it would say then. */
const full: Disturb = async (journal) => {
  await postgres.ask(
    journal,
    `CREATE FUNCTION countersign.refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON countersign.events EXECUTE FUNCTION countersign.refuse()`,
  )
  return () => postgres.ask(journal, 'DROP TRIGGER full_disk ON countersign.events')
}

describe('a mock on a database in trouble', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test.each([
    ['slow', slow, 'statement timeout', 503],
    ['full', full, 'No space left on device', 200],
  ])('answers 503 while it is %s, changes nothing, and goes on', async (_, disturb, reason, readStatus) => {
    const journal = await postgres.createJournal()
    const mock = await start(journal)
    const key = freshKey()
    const { workflow_id } = (await create(mock, key, 'before')).json
    const end = await disturb(journal)
    const [refused, read] = await Promise.all([
      create(mock, key, 'refused'),
      call(mock, freshKey(), 'GET', `/api/v1/workflows/${workflow_id}`),
    ])
    expect([refused.status, refused.retryAfter, refused.json.code]).toEqual([503, '1', 'journal-unavailable'])
    expect(refused.json.detail).toContain(reason)
    expect(refused.json.detail).toContain('Nothing was changed.')
    expect(read.status).toBeGreaterThanOrEqual(400)
    expect((await call(mock, key, 'GET', `/api/v1/workflows/${workflow_id}`)).status).toBe(readStatus)
    await end()
    expect((await create(mock, key, 'after')).status).toBe(201)
    expect(await namesOf(mock, key)).toEqual(['after', 'before'])
    expect(await namesOf(await start(journal), key)).toEqual(['after', 'before'])
  })

  test('answers 503 while it is cut off, and what was unknown is there once or never', async () => {
    const journal = await postgres.createJournal()
    const proxy = await startTcpProxy(Number(new URL(journal).port))
    onTestFinished(() => proxy.close())
    const through = new URL(journal)
    through.port = String(proxy.port)
    const mock = await start(through.href)
    const other = await start(journal)
    const key = freshKey()
    const { workflow_id } = (await create(mock, key, 'before')).json
    proxy.cut()
    const unknown = await create(mock, key, 'unknown')
    const read = await call(mock, freshKey(), 'GET', `/api/v1/workflows/${workflow_id}`)
    expect([unknown.status, unknown.retryAfter]).toEqual([503, '1'])
    // If the connection was lost before the statement was sent, it is known that nothing was stored.
    const mayBeThere = unknown.json.code === 'outcome-unknown'
    if (!mayBeThere) expect(unknown.json.code).toBe('journal-unavailable')
    expect([read.status, read.retryAfter, read.json.code]).toEqual([503, '1', 'journal-unavailable'])
    // Other mocks go on in the meantime.
    expect((await create(other, key, 'meanwhile')).status).toBe(201)
    proxy.restore()
    expect((await create(mock, key, 'after')).status).toBe(201)
    const names = await namesOf(mock, key)
    expect(names.filter((name) => name !== 'unknown')).toEqual(['after', 'before', 'meanwhile'])
    expect(names.length).toBeLessThanOrEqual(mayBeThere ? 4 : 3)
    expect(await namesOf(other, key)).toEqual(names)
  })

  test('goes on after a connection is lost between two statements of a transaction', async () => {
    const journal = await postgres.createJournal()
    const stream = await openPostgres(journal)
    onTestFinished(() => stream.close())
    const name = new URL(journal).pathname.slice(1)
    const record = {
      tenantId: 'tenant',
      after: startOfStream,
      records: [{ forget: true }],
      due: undefined,
      isOpen: false,
    } as const
    let position: Position | undefined
    await stream.exclusively('tenant', true, async (channel) => {
      await postgres.run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`)
      const open = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = '${name}' AND state LIKE 'idle in%'`
      while ((await postgres.ask(journal, open)).rows[0].count > 0) await pause(20)
      position = await channel.append(record)
    })
    expect(position?.at).toBe(1)
    expect(await stream.position('tenant')).toEqual(position)
  })

  test('stops while it is cut off', async () => {
    const journal = await postgres.createJournal()
    const proxy = await startTcpProxy(Number(new URL(journal).port))
    onTestFinished(() => proxy.close())
    const through = new URL(journal)
    through.port = String(proxy.port)
    const mock = await start(through.href)
    expect((await create(mock, freshKey(), 'before')).status).toBe(201)
    proxy.cut()
    await mock.close()
    await expect(fetch(mock.url)).rejects.toThrow('fetch failed')
  })
})
