import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { clientOf, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const running: RunningMock[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function server(options: StartOptions = {}): Promise<RunningMock> {
  const started = await startMock({ port: 0, ...options })
  running.push(started)
  return started
}

/** Sends text over a socket. Returns everything that is received until the server closes it. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('close', () => resolve(answer))
    socket.once('error', reject)
  })
}

const created = JSON.stringify(workflow())
const create = (headers: string, target = '/api/v1/workflows') =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(created)}\r\n${headers}\r\n${created}`

test('a key that is sent twice is refused', async () => {
  const { url } = await server()
  expect(await raw(url, create('Authorization: test_a\r\nAuthorization: test_b\r\n'))).toMatch(/^HTTP\/1\.1 401 /)
  expect(await raw(url, create('Authorization: test_a\r\n'))).toMatch(/^HTTP\/1\.1 201 /)
})

test('a target in absolute form is accepted, as proxies send it', async () => {
  const { url } = await server()
  const file = JSON.stringify({ file_name: 'a', content_type: 'text/plain', file_size: 1 })
  const head = `Host: y\r\nConnection: close\r\nAuthorization: test_a\r\nContent-Type: application/json\r\nContent-Length: ${file.length}`
  const answer = await raw(url, `POST http://mock.local:81/api/v1/upload/ HTTP/1.1\r\n${head}\r\n\r\n${file}`)
  expect(answer).toContain('"upload_url":"http://mock.local:81/storage/')
})

test('an HTTP/1.0 client without a Host gets addresses of this machine', async () => {
  const { url } = await server()
  const file = JSON.stringify({ file_name: 'a', content_type: 'text/plain', file_size: 1 })
  const head = `Authorization: test_a\r\nContent-Type: application/json\r\nContent-Length: ${file.length}`
  const answer = await raw(url, `POST /api/v1/upload/ HTTP/1.0\r\n${head}\r\n\r\n${file}`)
  expect(answer).toContain(`"upload_url":"http://localhost:${new URL(url).port}/storage/`)
})

test('a client that expects 100 Continue receives it', async () => {
  const { url } = await server()
  const answer = await raw(url, create('Authorization: test_a\r\nExpect: 100-continue\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

test('a connection stays usable after an answer without a body', async () => {
  const { url } = await server()
  const head = 'Host: x\r\nAuthorization: test_a\r\n'
  const requests = ['HEAD /api/v1/workflows', 'OPTIONS /api/v1/workflows', 'HEAD /nowhere', 'GET /nowhere']
  const text = requests.map((line, index) => {
    const last = index === requests.length - 1 ? 'Connection: close\r\n' : ''
    return `${line} HTTP/1.1\r\n${head}${last}\r\n`
  })
  const answer = await raw(url, text.join(''))
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['405', '204', '404', '404'])
  expect(answer.match(/"code":"unknown-path"/g)).toHaveLength(1)
})

test('a refused request with a body leaves the connection usable', async () => {
  const { url } = await server()
  const refused = create('').replace('Connection: close\r\n', '')
  const answer = await raw(url, `${refused}GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '404'])
})

test('a client that leaves while its answer is delayed is noticed', async () => {
  const mock = await server({ latency: { minMs: 100, maxMs: 100 } })
  const { call, requested } = clientOf(mock)
  const { upload_url } = await requested('a', 1000, 'text/plain')
  const { port, host, pathname, search } = new URL(upload_url)
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n`
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head, () => socket.destroy()))
    socket.once('close', () => resolve())
  })
  await vi.waitFor(async () => {
    const { requests } = (await call('GET', '/__admin/requests')).json
    expect(requests.at(-1)).toMatchObject({ method: 'PUT', status: 400 })
  }, 20_000)
})

test('a file takes the time that its size takes at the speed of uploads', async () => {
  const { requested, store } = clientOf(await server({ uploadSpeed: 100_000 }))
  await expect(startMock({ uploadSpeed: 999 })).rejects.toThrow('Set at least 1000 bytes per second.')
  const upload = await requested('a', 250_000)
  const times: number[] = []
  const { setTimeout } = globalThis
  const spied = vi.spyOn(globalThis, 'setTimeout').mockImplementation((call, ms = 0) => {
    if (ms < 1000) times.push(ms)
    return setTimeout(call, ms < 1000 ? 0 : ms)
  })
  onTestFinished(() => spied.mockRestore())
  expect((await store(upload, new Uint8Array(250_000))).status).toBe(200)
  expect(times.reduce((sum, ms) => sum + ms)).toBeCloseTo(2500)
})

test('a file beyond the budget keeps its size and checksums, but no bytes', async () => {
  const mock = await server({ maxStoredBytes: 1000 })
  const { key, requested, put, confirm } = clientOf(mock)
  const bytes = new Uint8Array(1024 * 1024).map((_, index) => index * 7)
  const upload = await requested('a.bin', bytes.byteLength)
  const checksum = createHash('sha256').update(bytes).digest('base64')
  const stored = await put(upload.upload_url, bytes, { ...upload.headers, 'x-amz-checksum-sha256': checksum })
  expect(stored.status).toBe(200)
  const { json: confirmed } = await confirm(upload)
  expect(confirmed.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(Number.parseInt(confirmed.crc32, 16)).toBe(crc32(bytes))
  expect(confirmed.file_size).toBe(bytes.byteLength)
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toBeUndefined()
})
