import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../src/wire/exchange.ts'
import { listening, quietServer } from '../support/listening.ts'

/** Starts a server, and connects a client that does not read yet. */
async function connected(app: App) {
  const server = quietServer(app)
  const client = connect(await listening(server), '127.0.0.1').pause()
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => void client.destroy())
  return { client, socket }
}

const request = (path: number | string, rest = '') => `PUT /${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`
const closing = 'Connection: close\r\n'

test('1,000 requests of a client that does not read wait for the answers before them', async () => {
  const paths: string[] = []
  const body = 'x'.repeat(30_000)
  const { client, socket } = await connected(async ({ path }) => {
    paths.push(path)
    return { status: 200, headers: [['Path', path]], body }
  })
  const all = Array.from({ length: 1000 }, (_, index) => `/${index}`)
  client.write(all.map((path, index) => request(path.slice(1), index === 999 ? closing : '')).join(''))
  // What the system takes at first differs.
  await vi.waitUntil(() => socket.writableLength > 0)
  expect(paths.length).toBeLessThan(500)
  expect(socket.writableLength).toBeLessThan(2 * body.length)
  const received = await text(client)
  const heads = received.split(body).slice(0, -1)
  expect(heads.map((head) => head.match(/Path: (\S+)/)?.[1])).toEqual(all)
  expect(paths).toEqual(all)
})

test('nothing is read from a connection whose requests wait', async () => {
  const [size, count] = [10_000, 100]
  const ahead: number[] = []
  const { client, socket } = await connected(async (incoming) => {
    await incoming.readBody(() => true)
    // Time for the connection to be read, which also the reading of the body starts.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    ahead.push(socket.bytesRead - ahead.length * sent.length)
    return { status: 204, headers: [] }
  })
  const sent = request('a', `Content-Length: ${size}\r\n`) + 'x'.repeat(size)
  client.write(sent.repeat(count) + request('b', closing))
  expect((await text(client)).match(/HTTP\/1.1 204/g)).toHaveLength(count + 1)
  expect(Math.max(...ahead)).toBeLessThan(4 * 65_536)
})
