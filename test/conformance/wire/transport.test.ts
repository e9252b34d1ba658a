import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { parallelTime } from '../../../conformance/selftest/parallel-time.ts'
import { TransportError } from '../../../conformance/wire/exchange.ts'
import { BuiltCall, Transport } from '../../../conformance/wire/transport.ts'
import { guardedFetch } from '../../../src/connect/guarded-fetch.ts'

const coders = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }

/** Serves a body with content codings; the last part of the body arrives once the caller has given up. */
async function serveEncoded(names: readonly (keyof typeof coders)[], text: string) {
  let body: Buffer = Buffer.from(text)
  for (const name of names) body = coders[name](body)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Encoding': names.join(', '), 'Content-Type': 'application/json' })
    response.write(body)
    if (names.length <= 2) response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const send = (url: string) =>
  new Transport({ fetch: guardedFetch(url) }).send(new BuiltCall(`${url}/api/v1/workflows`, {}))

const padded = JSON.stringify({ padding: 'x'.repeat(300_000) })

test.each([[['gzip'] as const], [['br', 'gzip'] as const]])('a body in %j is decoded', async (names) => {
  const url = await serveEncoded(names, padded)
  expect((await send(url)).json).toEqual(JSON.parse(padded))
})

test.each([3, 4, 5, 6, 9])('a body in %d content codings costs that answer only', async (count) => {
  const kinds = ['gzip', 'br', 'deflate'] as const
  const url = await serveEncoded(
    Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? 'gzip'),
    padded,
  )
  const error = await send(url).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TransportError)
  expect((error as Error).message).toMatch(/got no answer: .*content.(codings|encodings)/)
})

test('a body that decodes to more than a mebibyte costs that answer only', async () => {
  const url = await serveEncoded(['gzip', 'gzip'], 'x'.repeat(4 * 1024 * 1024))
  await expect(send(url)).rejects.toThrow('it is larger than 1048576 bytes')
})

test('all answers of a run together are bounded', async () => {
  const body = 'x'.repeat(1_000_000)
  const transport = new Transport({ fetch: async () => new Response(body) })
  const sent = Array.from({ length: 40 }, () => transport.send(new BuiltCall('http://large.test/', {})))
  const failures = (await Promise.allSettled(sent)).flatMap((one) =>
    one.status === 'rejected' ? one.reason.message : [],
  )
  expect(failures.length).toBeGreaterThanOrEqual(7)
  expect(failures.at(-1)).toContain('the answers have more than 33554432 bytes in all')
})

/** Sends calls at the same time to a service that lets a number of them pass in each second. */
async function sendThrottled(calls: number, perSecond: number) {
  const passed = new Map<number, number>()
  let refused = 0
  const { time, fetch } = parallelTime(async () => {
    const second = Math.floor(time.now() / 1000)
    const count = (passed.get(second) ?? 0) + 1
    passed.set(second, count)
    if (count <= perSecond) return new Response('{}')
    refused += 1
    return new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
  })
  const transport = new Transport({ fetch, time, maxRequests: 2000 })
  const sent = Array.from({ length: calls }, () => transport.send(new BuiltCall('http://limited.test/', {})))
  const outcomes = await Promise.allSettled(sent)
  return { failed: outcomes.filter(({ status }) => status === 'rejected').length, refused, ms: time.now() }
}

test.each([2, 5, 10])('calls beside a limit of %d per second all pass', async (perSecond) => {
  const { failed, refused, ms } = await sendThrottled(30, perSecond)
  expect([failed, refused < 60, ms < 30_000]).toEqual([0, true, true])
})

test('a service that lets no call pass is given up', async () => {
  const { failed, ms } = await sendThrottled(3, 0)
  expect([failed, ms < 20_000]).toEqual([3, true])
})
