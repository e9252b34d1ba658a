import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

async function call({ url }: RunningMock, key: string, method: string, path: string, body?: unknown) {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(url + path, init)
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

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
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: bytes.length }
  const upload = JSON.parse((await call(one, key, 'POST', '/api/v1/upload/', file)).bytes.toString())
  const { pathname, search } = new URL(upload.upload_url)
  const sent = await fetch(other.url + pathname + search, { method: 'PUT', headers: upload.headers, body: bytes })
  expect(sent.status).toBe(200)
  await Promise.all([one.close(), other.close()])
  const [third, fourth] = await Promise.all([start(), start()])
  const files = { session_id: upload.session_id, completed_files: [{ key: upload.key, file_name: 'a.pdf' }] }
  expect((await call(third, key, 'POST', '/api/v1/upload/confirm', files)).status).toBe(200)
  const kept = await call(fourth, key, 'GET', `/__admin/uploads/${upload.session_id}/content`)
  const sum = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  expect(sum(kept.bytes)).toBe(sum(bytes))
  expect((await call(fourth, key, 'POST', '/__admin/reset')).status).toBe(204)
  expect(readdirSync(objects)).toEqual(['countersign-objects.txt'])
})
