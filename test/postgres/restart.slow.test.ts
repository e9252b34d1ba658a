import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { initJournal } from '../../src/node/postgres/init.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

const postgres = await sharedPostgres()

/** Starts a mock on a journal, by default a new one. */
async function start(options: StartOptions = {}, key?: string) {
  const journal = options.journal ?? (await postgres.createJournal())
  const client = await started({ ...options, journal }, key)
  const countOf = async () => (await client.get('/__admin/workflows')).json.workflows.length
  return { ...client, journal, countOf }
}

test('a mock goes on after a restart with everything that was answered', async () => {
  const first = await start({ scenario: 'busy-quarter' })
  const { workflow_id } = await first.created()
  await first.call('POST', '/__admin/clock/advance', { duration: 'P3D' })
  const [before, all] = [await first.details(workflow_id), await first.get('/__admin/executions')]
  await first.mock.close()
  const second = await start({ journal: first.journal }, first.key)
  expect(await second.details(workflow_id)).toMatchObject({ status: 200, json: before.json })
  const after = await second.get('/__admin/executions?limit=10000')
  expect(after.json.executions.length).toBeGreaterThan(100)
  expect(after.json.total).toBe(all.json.total)
})

test('two mocks share a folder and upload URLs, also after a restart', async () => {
  const [journal, objects, key] = [await postgres.createJournal(), scratch(), freshKey()]
  const options = { journal, objects, approvers: 'manual', publicBaseUrl: 'http://mock.test' } as const
  const startTwo = () => Promise.all([start(options, key), start(options, key)])
  const bytes = 'Größe '.repeat(50_000)
  const [one, other] = await startTwo()
  const upload = await one.requested('a.pdf', Buffer.byteLength(bytes))
  const putAt = async ({ mock, put }: Awaited<ReturnType<typeof start>>) => {
    const { pathname, search } = new URL(upload.upload_url)
    await mustAnswer(put(mock.url + pathname + search, bytes, upload.headers), 200)
  }
  await putAt(other)
  await Promise.all([one.mock.close(), other.mock.close()])
  const [third, fourth] = await startTwo()
  await putAt(third)
  await mustAnswer(third.confirm(upload), 200)
  expect((await fourth.download(upload)).text).toBe(bytes)
  await mustAnswer(fourth.call('POST', '/__admin/reset'), 204)
  expect(readdirSync(objects)).toEqual(['countersign-objects.txt'])
})

test('a mock answers 503 while the database is away, and goes on by itself', async () => {
  const { create, created, details, countOf, warnings } = await start()
  const { workflow_id } = await created()
  await postgres.crash()
  for (const send of [create, () => details(workflow_id)]) {
    const { headers, json } = await mustAnswer(send(), 503)
    expect(headers.get('Retry-After')).toBe('1')
    expect(json.code).toMatch(/^(journal-unavailable|outcome-unknown)$/)
  }
  await postgres.restart()
  await mustAnswer(details(workflow_id), 200)
  expect(await countOf()).toBe(1)
  expect(warnings).toEqual([expect.stringContaining('fails'), expect.stringContaining('answers again')])
})

test('a mock answers 503 while the database is read-only', async () => {
  const { journal, create, created, details, countOf } = await start()
  const { workflow_id } = await created()
  const name = new URL(journal).pathname.slice(1)
  const alter = async (change: string) => {
    await postgres.run(`ALTER DATABASE ${name} ${change}`)
    await postgres.run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`)
  }
  await alter('SET default_transaction_read_only = on')
  expect((await mustAnswer(create(), 503, 'journal-unavailable')).json.detail).toContain('read-only')
  await mustAnswer(details(workflow_id), 200)
  await alter('RESET default_transaction_read_only')
  await mustAnswer(create(), 201)
  expect(await countOf()).toBe(2)
})

test('a mock waits for the database at the start, and gives up', async () => {
  const warnings: string[] = []
  const unreachable = 'postgres://mock:hidden@127.0.0.1:1/none'
  const opening = openPostgres(unreachable, { patienceMs: 100, warn: (text) => warnings.push(text) })
  await expect(opening).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1\/none did not answer for 0\.1 s: .*\. Start it/)
  expect(warnings).toEqual([expect.stringMatching(/^Waiting up to 0\.1 s for PostgreSQL at 127\.0\.0\.1:1\/none/)])
})

test('a mock needs a journal, which init creates once, and refuses to reset at once', async () => {
  const journal = await postgres.createDatabase()
  await expect(startMock({ journal })).rejects.toThrow(/does not exist\. Run countersign journal init/)
  expect(await initJournal(journal)).toMatch(/^Created a journal of version 5 in /)
  expect(await initJournal(journal)).toMatch(/^The journal has version 5 already/)
  const { mock, create } = await start({ journal })
  await mustAnswer(create(), 201)
  expect(() => mock.reset('test_a')).toThrow('Use the admin API instead.')
})
