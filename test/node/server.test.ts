import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { sendRaw } from '../support/raw.ts'
import { scratch } from '../support/scratch.ts'
import { started } from '../support/started.ts'
import { storedBytes } from '../support/stored.ts'

test('bytes of every value arrive unchanged', async () => {
  const { mock, key, requested, store } = await started()
  const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index * 31)
  const upload = await requested('a.bin', bytes.byteLength)
  await mustAnswer(store(upload, bytes), 200)
  expect(Buffer.compare(storedBytes(mock.tenants.ofKey(key), upload.key) ?? Buffer.of(), bytes)).toBe(0)
})

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

test('storage has an origin of its own if the deployment of a profile has', async () => {
  const { mock, requested } = await started({ like: { version: 1, hasStorageOrigin: true } })
  expect(mock.storageUrl).not.toBe(mock.url)
  expect(new URL((await requested()).upload_url).origin).toBe(mock.storageUrl)
})

test('storage with a port of its own answers there and nowhere else', async () => {
  const { mock, requested, send, put, store } = await started({ storagePort: 0 })
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
  const file = JSON.stringify({ file_name: 'a.bin', content_type: 'application/octet-stream', file_size: 1 })
  const head = `Host: mock.local\r\nAuthorization: test_a\r\nContent-Type: application/json\r\nContent-Length: ${file.length}`
  const answer = await sendRaw(near.port, `POST /api/v1/upload/ HTTP/1.1\r\n${head}\r\n\r\n${file}`)
  expect(answer).toContain(`"upload_url":"http://mock.local:${new URL(near.mock.storageUrl).port}/storage/`)
  const far = await started({ storagePort: 0, publicBaseUrl })
  expect(new URL((await far.requested()).upload_url).origin).toBe(far.mock.storageUrl)
  expect(far.mock.storageUrl).toMatch(/^https:\/\/mock\.example:\d+$/)
})

/** Sends the beginning of a file, and leaves. */
function leaveWithin(url: string, name = new URL(url).host): Promise<void> {
  const { port, pathname, search } = new URL(url)
  const typed = 'Content-Type: application/pdf\r\nContent-Length: 1000\r\n'
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${name}\r\n${typed}\r\n`
      socket.write(`${head}only a part`, () => socket.destroy())
    })
    socket.once('close', () => resolve())
  })
}

test.each([
  ['the right host', undefined],
  ['another host', 'x'],
])('a client that disconnects from %s stores no object, and can retry', async (_, name) => {
  const faults: unknown[] = []
  const { mock, key, requested, store } = await started({ onFault: (error) => faults.push(error) })
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
  const bytes = new Uint8Array(1024 * 1024).map((_, index) => index * 7)
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
  const journal = join(scratch(), 'journal.jsonl')
  const { mock } = await started({ journal })
  await expect(startMock({ journal })).rejects.toThrow(`Another mock has the journal ${journal} open.`)
  await mock.close()
  await started({ journal })
})

test('a stopped mock writes nothing, and can be stopped again', async () => {
  const journal = join(scratch(), 'journal.jsonl')
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
