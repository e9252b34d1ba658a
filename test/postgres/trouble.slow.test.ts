import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { type Position, start as startOfStream } from '../../src/world/shared/stream.ts'
import { findPostgres } from '../support/find-postgres.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey, workflow } from '../support/service.ts'
import { started } from '../support/started.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const postgres = await sharedPostgres()

type Started = Awaited<ReturnType<typeof start>>

async function start(journal: string, own?: string) {
  const { mock, key, call, warnings } = await started({ journal }, own)
  const callAs = (method: string, path: string, body: unknown, as = key) =>
    call(method, path, body, { Authorization: as })
  const create = (name: string, as?: string) => callAs('POST', '/api/v1/workflows', { ...workflow(), name }, as)
  const listed = async (member: 'name' | 'workflow_id', as?: string): Promise<string[]> => {
    const { json } = await callAs('GET', '/__admin/workflows', undefined, as)
    return json.workflows.map((one: Record<string, string>) => one[member]).sort()
  }
  const read = (id: string, as?: string) => callAs('GET', `/api/v1/workflows/${id}`, undefined, as)
  return { mock, create, listed, read, warnings }
}

/** Creates a journal whose connection can be cut. */
async function startCuttable() {
  const journal = await postgres.createJournal()
  const proxy = await startTcpProxy(Number(new URL(journal).port))
  onTestFinished(() => proxy.close())
  return { journal, proxy, through: Object.assign(new URL(journal), { port: String(proxy.port) }).href }
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

test.each([
  ['slow', slow, 'statement timeout', 503],
  ['full', full, 'No space left on device', 200],
])('answers 503 while it is %s, changes nothing, and goes on', async (_, disturb, reason, readStatus) => {
  const [journal, key] = [await postgres.createJournal(), freshKey()]
  const { create, read, listed } = await start(journal, key)
  const { workflow_id } = (await create('before')).json
  const end = await disturb(journal)
  const [refused, unknown] = await Promise.all([
    mustAnswer(create('refused'), 503, 'journal-unavailable'),
    read(workflow_id, freshKey()),
  ])
  await mustAnswer(read(workflow_id), readStatus)
  expect(refused.headers.get('Retry-After')).toBe('1')
  expect(refused.json.detail).toContain(reason)
  expect(refused.json.detail).toContain('Nothing was changed.')
  expect(unknown.status).toBeGreaterThanOrEqual(400)
  await end()
  await mustAnswer(create('after'), 201)
  for (const names of [await listed('name'), await (await start(journal, key)).listed('name')]) {
    expect(names).toEqual(['after', 'before'])
  }
})

test('answers 503 while it is cut off, and what was unknown is there once or never', async () => {
  const [{ journal, proxy, through }, key] = [await startCuttable(), freshKey()]
  const [mock, other] = [await start(through, key), await start(journal, key)]
  const { workflow_id } = (await mock.create('before')).json
  proxy.cut()
  const unknown = await mustAnswer(mock.create('unknown'), 503)
  const read = await mustAnswer(mock.read(workflow_id, freshKey()), 503, 'journal-unavailable')
  expect([unknown, read].map(({ headers }) => headers.get('Retry-After'))).toEqual(['1', '1'])
  // If the connection was lost before the statement was sent, it is known that nothing was stored.
  const mayBeThere = unknown.json.code === 'outcome-unknown'
  if (!mayBeThere) expect(unknown.json.code).toBe('journal-unavailable')
  // Other mocks go on in the meantime.
  await mustAnswer(other.create('meanwhile'), 201)
  proxy.restore()
  await mustAnswer(mock.create('after'), 201)
  const names = await mock.listed('name')
  expect(names.filter((name) => name !== 'unknown')).toEqual(['after', 'before', 'meanwhile'])
  expect(names.length).toBeLessThanOrEqual(mayBeThere ? 4 : 3)
  expect(await other.listed('name')).toEqual(names)
})

test('goes on after a connection is lost between two statements of a transaction', async () => {
  const journal = await postgres.createJournal()
  const stream = await openPostgres(journal)
  onTestFinished(() => stream.close())
  const ofJournal = `FROM pg_stat_activity WHERE datname = '${new URL(journal).pathname.slice(1)}'`
  let position: Position | undefined
  await stream.exclusively('tenant', true, async (channel) => {
    await postgres.run(`SELECT pg_terminate_backend(pid, 10000) ${ofJournal}`)
    const open = async () => (await postgres.ask(journal, `SELECT 1 ${ofJournal} AND state LIKE 'idle in%'`)).rowCount
    await expect.poll(open).toBe(0)
    const addition = { tenantId: 'tenant', after: startOfStream, due: undefined, isOpen: false } as const
    position = await channel.append({ ...addition, records: [{ forget: true }] })
  })
  expect(position?.at).toBe(1)
  expect(await stream.position('tenant')).toEqual(position)
})

test('stops while it is cut off', async () => {
  const { proxy, through } = await startCuttable()
  const { mock, create } = await start(through)
  await mustAnswer(create('before'), 201)
  proxy.cut()
  await mock.close()
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed')
})

/** Backs a database up. Returns how to restore it. */
function backUp(url: string): () => void {
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(findPostgres() ?? '', program), ['-d', url, ...args], { stdio: 'pipe' })
  const file = join(scratch(), 'backup.sql')
  run('pg_dump', '--clean', '-f', file)
  return () => run('psql', '--single-transaction', '-v', 'ON_ERROR_STOP=1', '-q', '-f', file)
}

test('mocks say that a backup was restored, agree, and give no identifier twice', async () => {
  const journal = await postgres.createJournal()
  const mocks: Started[] = []
  for (const _ of [1, 2, 3]) mocks.push(await start(journal))
  const keys = [freshKey(), freshKey()]
  /** Has each mock create a workflow for each key. Returns their identifiers by key. */
  const createAll = async () => {
    const created = new Map(keys.map((key): [string, string[]] => [key, []]))
    for (const { create } of mocks) {
      for (const [key, ids] of created) ids.push((await create('one', key)).json.workflow_id)
    }
    return created
  }
  const before = await createAll()
  const restore = backUp(journal)
  const lost = await createAll()
  restore()
  // As many records as were lost: positions alone would not show it.
  const after = await createAll()
  for (const key of nonEmpty(keys)) {
    const left = [before, after].flatMap((created) => created.get(key) ?? []).sort()
    for (const { listed } of nonEmpty(mocks)) expect(await listed('workflow_id', key)).toEqual(left)
  }
  const all = [before, lost, after].flatMap((created) => [...created.values()].flat())
  expect(new Set(all).size).toBe(all.length)
  for (const { mock, warnings } of nonEmpty(mocks)) {
    const lostBy = (key: string) => `has lost the last records of tenant ${mock.tenants.idOf(key)}`
    expect(warnings).toEqual(keys.map((key) => expect.stringContaining(lostBy(key))))
  }
})
