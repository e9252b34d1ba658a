import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import type { Outgoing } from '../../src/wire/exchange.ts'
import { listening, quietServer } from '../support/listening.ts'

/** Sends one request to a server that gives an answer. Returns the texts that the server wrote, and the answer as received. */
async function exchange(answer: Outgoing, method = 'GET') {
  const server = quietServer(async () => answer)
  const written: unknown[] = []
  server.on('connection', (socket) => {
    vi.spyOn(socket, 'write').mockImplementation(function (this: Socket, ...args) {
      written.push(args[0])
      return Socket.prototype.write.apply(this, args)
    })
  })
  const response = await fetch(`http://127.0.0.1:${await listening(server)}/`, { method })
  return { written, status: response.status, text: await response.text(), headers: response.headers }
}

const headers = [['Content-Type', 'application/json']] as const

test('headers and body of a short answer are written as one text', async () => {
  const { written, text, headers: received } = await exchange({ status: 201, headers, body: '{"a":1}' })
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^HTTP\/1\.1 201 Created\r\n[\s\S]*\r\n\r\n\{"a":1\}$/)
  expect(text).toBe('{"a":1}')
  expect(received.get('content-length')).toBe('7')
})

test('bodies of any characters and sizes arrive unchanged', async () => {
  const long = 'x'.repeat(300_000)
  for (const body of ['', 'ä', '€ 🖋', '\u0080\u00ff', long, `${long}ß`, new Uint8Array([0, 200, 255])]) {
    const { status, text, headers: received } = await exchange({ status: 200, headers, body })
    expect([status, received.get('content-length')]).toEqual([200, String(Buffer.byteLength(body))])
    expect(text === (typeof body === 'string' ? body : new TextDecoder().decode(body))).toBe(true)
  }
})

test('an answer to HEAD and one with 204 have no body', async () => {
  expect(await exchange({ status: 200, headers, body: 'abc' }, 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect(await exchange({ status: 204, headers: [] })).toMatchObject({ status: 204, text: '' })
})
