import { expect, test } from 'vitest'
import { drain, readBytes } from '../../src/http/wire/body.ts'
import { Capture, Captures } from '../../src/http/wire/captures.ts'
import type { Incoming } from '../../src/http/wire/exchange.ts'
import { Memory } from '../../src/world/memory.ts'

const MiB = 1024 * 1024

/** A request with an endless body in chunks of 1 MiB. */
function endless() {
  const chunk = new Uint8Array(MiB)
  let read = 0
  const incoming = {
    async readBody(take: (chunk: Uint8Array) => boolean) {
      do read += 1
      while (take(chunk))
    },
  } as Incoming
  return { incoming, read: () => read }
}

test('of an endless body, at most 128 MiB beyond the limit are read', async () => {
  const dropped = endless()
  await drain(dropped.incoming)
  expect(dropped.read()).toBe(129)
  const tooLarge = endless()
  expect(await readBytes(tooLarge.incoming, MiB, new Memory(MiB))).toBeUndefined()
  expect(tooLarge.read()).toBe(130)
})

test('a body in single bytes is kept for the console in few parts', async () => {
  const sent = Uint8Array.from({ length: 70_000 }, (_, index) => index)
  const incoming = {
    method: 'POST',
    path: '/',
    search: '',
    headers: () => [],
    async readBody(take: (chunk: Uint8Array) => boolean) {
      for (let at = 0; at < sent.length; at += 1) take(sent.subarray(at, at + 1))
    },
  } as unknown as Incoming
  const capture = new Capture(incoming)
  await incoming.readBody(() => true)
  const { parts, size } = capture.noted
  expect([parts.length <= 65, size]).toEqual([true, 70_000])
  expect(Buffer.concat(parts).equals(sent.subarray(0, 64 * 1024))).toBe(true)
})

test('of what is kept before and while a stream is open, the oldest requests go first', () => {
  const captures = new Captures()
  const incoming = { method: 'GET', path: '/', search: '', headers: () => [] } as unknown as Incoming
  const keep = (from: number, to: number) => {
    for (let id = from; id <= to; id += 1) {
      const capture = new Capture(incoming)
      capture.end({ status: 200, headers: [], body: 'x'.repeat(64 * 1024) })
      captures.keep(id, capture)
    }
  }
  keep(1, 60)
  captures.watch(() => {})
  keep(61, 280)
  const kept = Array.from({ length: 280 }, (_, index) => index + 1).filter((id) => captures.find(id))
  expect([kept.length, kept[0]]).toEqual([kept.length, 281 - kept.length])
  expect(kept.length).toBeLessThan(270)
})
