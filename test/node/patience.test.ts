import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { freshKey, workflow } from '../support/service.ts'

let mock: RunningMock
const open: Socket[] = []

beforeAll(async () => {
  mock = await startMock({ patience: { headersMs: 200, bodyMs: 100, fileMs: 100 }, graceMs: 100 })
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await mock.close()
})

/** Sends the beginning of a request, and waits until the server has closed the connection; gives what it answered. */
async function begun(text: string): Promise<string> {
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
  open.push(socket)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

/** Where a text of five bytes is to be put. */
async function addressFor({ url }: RunningMock, key: string): Promise<string> {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ file_name: 'a', content_type: 'text/plain', file_size: 5 })
  return (await (await fetch(`${url}/api/v1/upload/`, { method: 'POST', headers, body })).json()).upload_url
}

const head = 'HTTP/1.1\r\nHost: localhost\r\n'

test('headers that do not end are answered with 408', async () => {
  expect(await begun(`GET /api/v1/workflows/wf_a ${head}X-Slow: `)).toMatch(/^HTTP\/1\.1 408 /)
})

test('a body of JSON that does not end is answered with 408, and nothing is created', async () => {
  const key = freshKey()
  const headers = `Authorization: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`
  const answer = await begun(`POST /api/v1/workflows ${head}${headers}\r\n${JSON.stringify(workflow())}`)
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close/)
  expect(mock.journal.read(key)).toEqual([])
})

test('a file that does not end is answered with 408, and its upload can still be done', async () => {
  const key = freshKey()
  const upload_url = await addressFor(mock, key)
  const { pathname, search } = new URL(upload_url)
  const typed = 'Content-Type: text/plain\r\nContent-Length: 5\r\n'
  expect(await begun(`PUT ${pathname}${search} ${head}${typed}\r\nHel`)).toMatch(/^HTTP\/1\.1 408 /)
  expect(mock.journal.read(key).map(({ type }) => type)).toEqual(['UploadRequested'])
  const again = { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: 'Hello' }
  expect((await fetch(upload_url, again)).status).toBe(200)
})

test('a file whose pieces keep coming may take longer than the wait for any of them', async () => {
  const patient = await startMock({ patience: { fileMs: 1000 } })
  const upload_url = await addressFor(patient, freshKey())
  const pieces = new ReadableStream({
    async start(controller) {
      for (const letter of 'Hello') {
        controller.enqueue(new TextEncoder().encode(letter))
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      controller.close()
    },
  })
  const typed = { 'Content-Type': 'text/plain', 'Content-Length': '5' }
  const put = { method: 'PUT', headers: typed, body: pieces, duplex: 'half' } as RequestInit
  expect((await fetch(upload_url, put)).status).toBe(200)
  await patient.close()
})

test('five hundred connections that send nothing more keep nobody else waiting', async () => {
  const slow = Array.from({ length: 500 }, () => begun(`GET / ${head}`))
  const headers = { Authorization: freshKey() }
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(`${mock.url}/api/v1/workflows/wf_a`, { headers })).status),
  )
  expect(new Set(statuses)).toEqual(new Set([404]))
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
})

test('a mock that stops ends a connection behind its last answer, and cuts what takes too long', async () => {
  const stopping = await startMock({ graceMs: 100, latency: { minMs: 50, maxMs: 50 } })
  const port = Number(new URL(stopping.url).port)
  const socket = connect(port, '127.0.0.1')
  const stuck = connect(port, '127.0.0.1')
  open.push(socket, stuck)
  stuck.write(`POST /api/v1/workflows ${head}Authorization: test_a\r\nContent-Length: 10\r\n\r\n`)
  socket.write(`GET /api/v1/workflows/wf_a ${head}Authorization: test_a\r\n\r\n`)
  await expect.poll(() => stopping.tenants.size).toBe(1)
  const [[answer]] = await Promise.all([once(socket, 'data'), stopping.close(), once(stuck, 'close')])
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 [\s\S]*Connection: close/)
})
