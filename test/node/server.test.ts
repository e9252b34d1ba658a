import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { journalPath } from '../support/kept.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { sendExact } from '../support/raw.ts'
import { started } from '../support/started.ts'
import { storedBytes } from '../support/stored.ts'

test('a body that is refused or over the limit is answered, not cut off', async () => {
  const { requested, store, call } = await started()
  await mustAnswer(store(await requested(), new Uint8Array(20 * 1024 * 1024)), 403, 'SignatureDoesNotMatch')
  await mustAnswer(call('POST', '/api/v1/workflows', { name: 'x'.repeat(5 * 1024 * 1024) }), 413)
})

const publicBaseUrl = 'https://mock.example/approvals'

test.each([
  ['an invalid public address', { publicBaseUrl: 'mock.example', storagePort: 0 }, /'mock.example' is not an http/],
  ['a speed that is too low', { uploadSpeed: 999 }, 'Set at least 1000 bytes per second.'],
  ['a journal in a missing folder', { journal: '/none/journal' }, /in a folder that exists\.$/],
  ['a folder as its journal', { journal: '/' }, /Cannot open .+: EISDIR/],
])('a mock with %s is not started', async (_, options, message) => {
  await expect(startMock(options)).rejects.toThrow(message)
})

test.each([
  ['with a port of its own', { storagePort: 0 }],
  ['like that of a deployment', { like: { version: 1, hasStorageOrigin: true } as const }],
])('storage %s answers there and nowhere else', async (_, options) => {
  const { mock, requested, send, put, store } = await started(options)
  const upload = await requested('a.bin', 1)
  expect(new URL(upload.upload_url).origin).toBe(mock.storageUrl)
  expect(mock.storageUrl).not.toBe(mock.url)
  await mustAnswer(put(upload.upload_url.replace(mock.storageUrl, mock.url), 'a', upload.headers), 404)
  await mustAnswer(store(upload, 'a'), 200)
  const lost = await mustAnswer(send(new Request(`${mock.storageUrl}/api/v1/workflows`)), 404)
  expect(lost.json.detail).toContain('to the port of the service')
})

test('storage on its own port has the host that the client called, or the public one', async () => {
  const near = await started({ storagePort: 0 })
  const body = JSON.stringify({ file_name: 'a.bin', content_type: 'application/octet-stream', file_size: 1 })
  const headers = { Host: 'mock.local', Authorization: near.key, 'Content-Type': 'application/json' }
  const { text } = await sendExact(`${near.mock.url}/api/v1/upload/`, { method: 'POST', headers, body })
  expect(text).toContain(`"upload_url":"http://mock.local:${new URL(near.mock.storageUrl).port}/storage/`)
  const far = await started({ storagePort: 0, publicBaseUrl })
  expect(new URL((await far.requested()).upload_url).origin).toBe(far.mock.storageUrl)
  expect(far.mock.storageUrl).toMatch(/^https:\/\/mock\.example:\d+$/)
})

/** Sends the beginning of a file, and leaves. */
async function leaveWithin(url: string, name = new URL(url).host): Promise<void> {
  const { port, pathname, search } = new URL(url)
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${name}\r\nContent-Type: application/pdf\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${head}Content-Length: 1000\r\n\r\nonly a part`, () => socket.destroy())
  await once(socket, 'close')
}

test.each([
  ['the right host', undefined],
  ['another host', 'x'],
])('a client that disconnects from %s stores no object, and can retry', async (_, name) => {
  const { mock, key, requested, store, faults } = await started()
  const upload = await requested('a.pdf', 1000)
  await leaveWithin(upload.upload_url, name)
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toBeUndefined()
  await mustAnswer(store(upload, new Uint8Array(1000)), 200)
  expect(faults).toEqual([])
})

test('a client that leaves while its answer is delayed is noticed', async () => {
  const { call, requested } = await started({ latency: { minMs: 100, maxMs: 100 } })
  await leaveWithin((await requested('a.pdf', 1000)).upload_url)
  await vi.waitFor(async () => {
    const { requests } = (await call('GET', '/__admin/requests')).json
    expect(requests.at(-1)).toMatchObject({ method: 'PUT', status: 400 })
  }, 20_000)
})

test('a file takes the time that its size takes at the speed of uploads', async () => {
  const { requested, store } = await started({ uploadSpeed: 100_000 })
  const upload = await requested('a', 250_000)
  const times: number[] = []
  const { setTimeout } = globalThis
  // Timers of other things seldom wait for a whole number of bytes, of which each takes 0.01 ms.
  const isOfBytes = (ms: number) => Math.abs(ms * 100 - Math.round(ms * 100)) < 1e-6
  const spied = vi.spyOn(globalThis, 'setTimeout').mockImplementation((call, ms = 0) => {
    if (ms < 1000 && isOfBytes(ms)) times.push(ms)
    return setTimeout(call, ms < 1000 ? 0 : ms)
  })
  onTestFinished(() => spied.mockRestore())
  await mustAnswer(store(upload, new Uint8Array(250_000)), 200)
  expect(times.reduce((sum, ms) => sum + ms)).toBeCloseTo(2500)
})

test('a file beyond the budget keeps its size and checksums, but no bytes', async () => {
  const { mock, key, requested, put, confirm } = await started({ maxStoredBytes: 1000 })
  const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index * 31)
  const upload = await requested('a.bin', bytes.byteLength)
  const digest = createHash('sha256').update(bytes).digest()
  const announced = { ...upload.headers, 'x-amz-checksum-sha256': digest.toString('base64') }
  await mustAnswer(put(upload.upload_url, bytes, announced), 200)
  const { json } = await confirm(upload)
  expect([json.sha256, json.file_size]).toEqual([digest.toString('hex'), bytes.byteLength])
  expect(Number.parseInt(json.crc32, 16)).toBe(crc32(bytes))
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toBeUndefined()
})

test('one mock at a time holds a journal, which a closed mock releases', async () => {
  const journal = journalPath()
  const { mock } = await started({ journal })
  await expect(startMock({ journal })).rejects.toThrow(`Another mock has the journal ${journal} open.`)
  await mock.close()
  await started({ journal })
})

test('a stopped mock writes nothing, and can be stopped again', async () => {
  const journal = journalPath()
  const { mock, key } = await started({ journal, clockSpeed: 0, scenario: 'first-day' })
  const { clock } = mock.tenants.ofKey(key)
  await mock.close()
  await mock.close()
  const kept = readFileSync(journal, 'utf8')
  clock.advance(90 * 86_400_000)
  expect(readFileSync(journal, 'utf8')).toBe(kept)
})

test('a busy port is an error, and no server is left running', async () => {
  const { port } = await started()
  for (const options of [{ port }, { port: 0, storagePort: port }]) {
    await expect(startMock(options)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  }
})
