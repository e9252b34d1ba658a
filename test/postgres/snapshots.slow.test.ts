import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Mock } from '../../src/mock.ts'
import { initJournal } from '../../src/node/postgres/init.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { migrations } from '../../src/node/postgres/schema.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import { requestTo } from '../support/call-history.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { freshKey, workflow } from '../support/service.ts'

let postgres: TestPostgres

/** Starts a mock that saves a snapshot every few records. It is closed when the test ends. */
async function start(journal: string): Promise<Mock> {
  const stream = await openPostgres(journal)
  const mock = await buildSharedMock({ approvers: 'manual' }, stream, { snapshotEvery: 5 })
  onTestFinished(async () => {
    mock.tenants.stop()
    await stream.close()
  })
  return mock
}

async function call(mock: Mock, key: string, method: string, path: string, body?: unknown) {
  const response = await mock.fetch(
    requestTo('http://localhost', { method, path, key, ...(body !== undefined && { body }) }),
  )
  return { status: response.status, json: await response.json() }
}

/** Has a mock create workflows until its tenant has a snapshot. Returns the identifier of the first one. */
async function createUntilSaved(journal: string, mock: Mock, key: string): Promise<string> {
  const { workflow_id } = (await call(mock, key, 'POST', '/api/v1/workflows', workflow())).json
  for (let saved = 0; saved === 0; ) {
    await call(mock, key, 'POST', '/api/v1/workflows', workflow())
    await pause(5)
    saved = (await postgres.ask(journal, 'SELECT 1 FROM countersign.snapshots')).rows.length
  }
  return workflow_id
}

describe('snapshots in PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  test.each([
    ['is loaded', 'SELECT 1', true],
    ['in an older format is ignored', 'UPDATE countersign.snapshots SET format = 0', false],
    ['without its last part is ignored', 'UPDATE countersign.snapshots SET is_last = false', false],
    ['of other records is ignored', 'UPDATE countersign.snapshots SET batch = gen_random_uuid()', false],
  ])('a snapshot %s', async (_, change, isUsed) => {
    const journal = await postgres.createJournal()
    const key = freshKey()
    const first = await start(journal)
    const workflowId = await createUntilSaved(journal, first, key)
    const path = `/api/v1/workflows/${workflowId}`
    const before = await call(first, key, 'GET', path)
    await postgres.ask(journal, change)
    // A record that is in the snapshot cannot be read any more.
    const spoil = `UPDATE countersign.events SET record = '{"type":"unknown"}' WHERE record->>'workflowId' = '${workflowId}'`
    await postgres.ask(journal, spoil)
    const after = await call(await start(journal), key, 'GET', path).catch(() => 'records were read')
    if (isUsed) expect(after).toEqual(before)
    else expect(after).not.toEqual(before)
  })

  test('a reset removes the snapshot', async () => {
    const journal = await postgres.createJournal()
    const key = freshKey()
    const mock = await start(journal)
    const workflowId = await createUntilSaved(journal, mock, key)
    await mock.tenants.reset(mock.tenants.idOf(key))
    expect((await postgres.ask(journal, 'SELECT 1 FROM countersign.snapshots')).rows).toEqual([])
    expect((await call(await start(journal), key, 'GET', `/api/v1/workflows/${workflowId}`)).status).toBe(404)
  })

  test('init adds them to a journal of version 1, which keeps its events', async () => {
    const url = await postgres.createDatabase()
    for (const statement of migrations[0] ?? []) await postgres.ask(url, statement)
    await postgres.ask(url, "INSERT INTO countersign.journal (version, secret) VALUES (1, 'earlier')")
    await expect(openPostgres(url)).rejects.toThrow(/has version 1, and this Countersign needs version 2\. Run/)
    expect(await initJournal(url)).toMatch(/^Changed the journal from version 1 to 2 in /)
    const stream = await openPostgres(url)
    expect(stream.secret).toBe('earlier')
    expect(await stream.snapshots.latest('any')).toBe(0)
    await stream.close()
  })
})
