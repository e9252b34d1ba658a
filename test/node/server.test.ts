import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterEach, expect, test } from 'vitest'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const running: RunningMock[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

/** Starts a server on a free port that is closed after the test. */
async function server(options: StartOptions = {}) {
  const started = await startMock({ port: 0, ...options })
  running.push(started)
  const key = freshKey()
  const post = (path: string, body: object) => supertest(started.url).post(path).set('Authorization', key).send(body)
  const requestUpload = async (fileSize: number) => {
    const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: fileSize }
    return (await post('/api/v1/upload/', file)).body
  }
  return { ...started, key, post, requestUpload }
}

const put = (url: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' }, body })

test('it answers over HTTP what it answers as a function', async () => {
  const { post } = await server()
  const created = await post('/api/v1/workflows', workflow()).expect(201)
  expect(created.body.isSequential).toBe(true)
})

test('bytes of every value arrive unchanged', async () => {
  const { requestUpload, tenants, key } = await server()
  const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index * 31)
  const { upload_url, key: storageKey } = await requestUpload(bytes.byteLength)
  expect((await put(upload_url, bytes)).status).toBe(200)
  expect(Buffer.compare(storedBytes(tenants.ofKey(key), storageKey) ?? Buffer.of(), bytes)).toBe(0)
})

test('a refused upload is answered, not cut off', async () => {
  const { requestUpload } = await server()
  const { upload_url } = await requestUpload(10)
  const answer = await put(upload_url, new Uint8Array(20 * 1024 * 1024))
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('SignatureDoesNotMatch')
})

test('a body over the limit is answered, not cut off', async () => {
  const { post } = await server()
  await post('/api/v1/workflows', { name: 'x'.repeat(5 * 1024 * 1024) }).expect(413)
})

test('upload URLs name the host that the client called', async () => {
  const { url, key } = await server()
  const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: 1 }
  const request = supertest(url).post('/api/v1/upload/').set('Authorization', key)
  const { body } = await request.set('Host', 'mock.local:8080').send(file)
  expect(body.upload_url).toMatch(/^http:\/\/mock\.local:8080\/storage\//)
})

test('upload URLs begin with the public base URL if there is one', async () => {
  const { requestUpload, storageUrl } = await server({ publicBaseUrl: 'https://mock.example/approvals' })
  expect((await requestUpload(1)).upload_url).toMatch(/^https:\/\/mock\.example\/approvals\/storage\//)
  expect(storageUrl).toBe('https://mock.example/approvals')
})

test('an invalid public base URL is refused, and no server is started', async () => {
  const started = startMock({ publicBaseUrl: 'mock.example', storagePort: 0 })
  await expect(started).rejects.toThrow(/public address 'mock.example' is not an http/)
})

test('storage on its own port has the host that the client called, or the public one', async () => {
  const file = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: 1 }
  const near = await server({ storagePort: 0 })
  const { port } = new URL(near.storageUrl)
  const called = supertest(near.url).post('/api/v1/upload/').set('Authorization', near.key).set('Host', 'mock.local')
  expect((await called.send(file)).body.upload_url).toMatch(new RegExp(`^http://mock\\.local:${port}/storage/`))
  const far = await server({ storagePort: 0, publicBaseUrl: 'https://mock.example/approvals' })
  expect(new URL((await far.requestUpload(1)).upload_url).origin).toBe(far.storageUrl)
  expect(far.storageUrl).toMatch(/^https:\/\/mock\.example:\d+$/)
})

test('storage has an origin of its own if the deployment of a profile has', async () => {
  const like = { version: 1, hasStorageOrigin: true } as const
  const { storageUrl, url, requestUpload } = await server({ like })
  expect(storageUrl).not.toBe(url)
  expect(new URL((await requestUpload(1)).upload_url).origin).toBe(storageUrl)
})

test('storage with a port of its own answers there and nowhere else', async () => {
  const { requestUpload, url, storageUrl } = await server({ storagePort: 0 })
  const { upload_url } = await requestUpload(1)
  expect(new URL(upload_url).origin).toBe(storageUrl)
  expect(storageUrl).not.toBe(url)
  expect((await put(upload_url.replace(storageUrl, url), new Uint8Array(1))).status).toBe(404)
  expect((await put(upload_url, new Uint8Array(1))).status).toBe(200)
  const lost = await fetch(`${storageUrl}/api/v1/workflows`)
  expect([lost.status, (await lost.json()).detail]).toEqual([
    404,
    expect.stringContaining('to the port of the service'),
  ])
})

test.each([
  ['the right host', (host: string) => host],
  ['another host', () => 'x'],
])('a client that disconnects from %s stores no object, and can retry', async (_, hostOf) => {
  const faults: unknown[] = []
  const { requestUpload, tenants, key } = await server({ onFault: (error) => faults.push(error) })
  const { upload_url, key: storageKey } = await requestUpload(1000)
  const { port, host, pathname, search } = new URL(upload_url)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostOf(host)}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n`
      socket.write(`${head}only a part`, () => socket.destroy())
    })
    socket.once('close', () => resolve())
  })
  expect(storedBytes(tenants.ofKey(key), storageKey)).toBeUndefined()
  expect((await put(upload_url, new Uint8Array(1000))).status).toBe(200)
  expect(faults).toEqual([])
})

test('one mock at a time holds a journal, and a killed mock releases it', async () => {
  const journal = join(scratch(), 'journal.jsonl')
  const first = await startMock({ journal })
  await expect(startMock({ journal })).rejects.toThrow(`Another mock has the journal ${journal} open.`)
  await first.close()
  await server({ journal })
  await expect(startMock({ journal: join(journal, 'x') })).rejects.toThrow(/in a folder that exists\.$/)
})

test('a stopped mock writes nothing, and can be stopped again', async () => {
  const journal = join(scratch(), 'journal.jsonl')
  const stopped = await startMock({ journal, clockSpeed: 0, scenario: 'first-day' })
  const { clock } = stopped.tenants.ofKey(freshKey())
  await stopped.close()
  await stopped.close()
  const kept = readFileSync(journal, 'utf8')
  clock.advance(90 * 86_400_000)
  expect(readFileSync(journal, 'utf8')).toBe(kept)
})

test('a folder as a journal is refused', async () => {
  await expect(startMock({ journal: scratch() })).rejects.toThrow(/Cannot open .+: EISDIR/)
})

test('a busy port is an error, and no server is left running', async () => {
  const { url } = await server()
  const port = Number(new URL(url).port)
  await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await expect(startMock({ port: 0, storagePort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
