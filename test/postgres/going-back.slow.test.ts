import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { requestTo } from '../support/call-history.ts'
import { findPostgres } from '../support/find-postgres.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey, workflow } from '../support/service.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

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
  const mocks: RunningMock[] = []
  const warnings: string[][] = []
  for (const index of [0, 1, 2]) {
    warnings.push([])
    mocks.push(await startMock({ journal, graceMs: 100, onWarning: (text) => warnings[index]?.push(text) }))
  }
  onTestFinished(() => void Promise.all(mocks.map((mock) => mock.close())))
  const keys = [freshKey(), freshKey()]
  const ask = async ({ url }: RunningMock, key: string, method: string, path: string, body?: unknown) =>
    (await fetch(requestTo(url, { method, path, key, ...(body !== undefined && { body }) }))).json()
  /** Has each mock create `count` workflows for each key, in turn. Returns their identifiers by key. */
  const create = async (count: number) => {
    const created = keys.map((): string[] => [])
    for (const mock of [...Array(count).keys()].flatMap(() => mocks)) {
      for (const [index, key] of keys.entries())
        created[index]?.push((await ask(mock, key, 'POST', '/api/v1/workflows', workflow())).workflow_id)
    }
    return created
  }
  const idsIn = async (mock: RunningMock, key: string) => {
    const { workflows } = await ask(mock, key, 'GET', '/__admin/workflows')
    return workflows.map(({ workflow_id }: { workflow_id: string }) => workflow_id).sort()
  }
  const before = await create(1)
  const restore = backUp(journal)
  const lost = await create(1)
  restore()
  // As many records as were lost: positions alone would not show it.
  const after = await create(1)
  for (const [index, key] of nonEmpty([...keys.entries()])) {
    const left = [...(before[index] ?? []), ...(after[index] ?? [])].sort()
    for (const mock of nonEmpty(mocks)) expect(await idsIn(mock, key)).toEqual(left)
  }
  const all = [before, lost, after].flat(2)
  expect(new Set(all).size).toBe(all.length)
  for (const [index, { tenants }] of nonEmpty([...mocks.entries()])) {
    const told = keys.map((key) => expect.stringContaining(`has lost the last records of tenant ${tenants.idOf(key)}`))
    expect(warnings[index]).toEqual(told)
  }
})
