import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import type { App } from '../../src/wire/exchange.ts'
import { fakeTimers } from '../support/fake-time.ts'
import { listening, quietServer } from '../support/listening.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendRaw } from '../support/raw.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'

// A sound request takes milliseconds, so it arrives within these limits on a busy machine too.
const mock = await sharedMock({ patience: { headersMs: 1000, bodyMs: 1000, fileMs: 1000 } })

function connected(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

const portOf = ({ url }: RunningMock) => Number(new URL(url).port)

/** Sends the beginning of a request and waits until the server closes the connection. Returns its answer. */
const sendBeginning = (begin: string) => sendRaw(portOf(mock), begin, { keepsOpen: true })

const head = 'HTTP/1.1\r\nHost: localhost\r\n'

test.concurrent('an incomplete JSON body is answered with 408 and creates nothing', async () => {
  const key = freshKey()
  const headers = `Authorization: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`
  const answer = await sendBeginning(`POST /api/v1/workflows ${head}${headers}\r\n${JSON.stringify(workflow())}`)
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close/)
  expect(mock.journal.read(key)).toEqual([])
})

test.concurrent('an incomplete file is answered with 408, and its upload can be retried', async () => {
  const { key, requested, store } = clientOf(mock)
  const upload = await requested('a', 5, 'text/plain')
  const { pathname, search } = new URL(upload.upload_url)
  const typed = 'Content-Type: text/plain\r\nContent-Length: 5\r\n'
  expect(await sendBeginning(`PUT ${pathname}${search} ${head}${typed}\r\nHel`)).toMatch(/^HTTP\/1\.1 408 /)
  expect(mock.journal.read(key).map(({ type }) => type)).toEqual(['UploadRequested'])
  expect((await store(upload, 'Hello')).status).toBe(200)
})

test('a file that keeps arriving may take longer than the limit for a chunk', async () => {
  const fileMs = 1000
  let taken = 0
  const app: App = async (incoming) => {
    await incoming.readBody(() => {
      taken += 1
      return true
    })
    return { status: 200, headers: [] }
  }
  fakeTimers()
  const socket = connected(await listening(quietServer(app, { fileMs })))
  socket.write(`PUT /file ${head}Connection: close\r\nContent-Length: 5\r\n\r\n`)
  for (const [index, letter] of [...'Hello'].entries()) {
    socket.write(letter)
    while (taken <= index && socket.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(fileMs - 1)
  }
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
})

test('five hundred stalled connections delay no other client', async () => {
  const slow = Array.from({ length: 500 }, () => sendBeginning(`GET / ${head}`))
  const headers = { Authorization: freshKey() }
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(`${mock.url}/api/v1/workflows/wf_a`, { headers })).status),
  )
  expect(new Set(statuses)).toEqual(new Set([404]))
  for (const answer of nonEmpty(await Promise.all(slow))) expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
})

test('a mock that stops answers pending requests and cuts slow connections', async () => {
  const stopping = await startMock({ graceMs: 2000, latency: { minMs: 200, maxMs: 200 } })
  const [socket, stuck] = [connected(portOf(stopping)), connected(portOf(stopping))]
  stuck.write(`POST /api/v1/workflows ${head}Authorization: test_stuck\r\nContent-Length: 10\r\n\r\n`)
  socket.write(`GET /api/v1/workflows/wf_a ${head}Authorization: test_answered\r\n\r\n`)
  const answered = once(socket, 'data')
  // Much shorter than the latency: the answer must still be pending when the mock is stopped.
  await expect.poll(() => stopping.tenants.size, { interval: 5 }).toBe(2)
  const [[answer]] = await Promise.all([answered, stopping.close(), once(stuck, 'close')])
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 [\s\S]*Connection: close/)
})
