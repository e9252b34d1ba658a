import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey, type Upload } from '../support/service.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

test('two mocks on one journal share a folder, also after a restart', async () => {
  const [journal, objects, key] = [await postgres.createJournal(), scratch(), freshKey()]
  const start = async () => {
    const mock = await startMock({
      journal,
      objects,
      approvers: 'manual',
      graceMs: 100,
      publicBaseUrl: 'http://mock.test',
    })
    onTestFinished(() => mock.close())
    return mock
  }
  const [one, other] = await Promise.all([start(), start()])
  const bytes = Buffer.alloc(300_000, 'Größe')
  const upload: Upload = await clientOf(one, key).requested('a.pdf', bytes.length)
  const { pathname, search } = new URL(upload.upload_url)
  const sent = await fetch(other.url + pathname + search, { method: 'PUT', headers: upload.headers, body: bytes })
  expect(sent.status).toBe(200)
  await Promise.all([one.close(), other.close()])
  const [third, fourth] = await Promise.all([start(), start()])
  expect((await clientOf(third, key).confirm(upload)).status).toBe(200)
  const { call, download } = clientOf(fourth, key)
  const sum = (content: string) => createHash('sha256').update(content).digest('hex')
  expect(sum((await download(upload)).text)).toBe(sum(bytes.toString()))
  expect((await call('POST', '/__admin/reset')).status).toBe(204)
  expect(readdirSync(objects)).toEqual(['countersign-objects.txt'])
})
