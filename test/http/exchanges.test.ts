import { expect, test } from 'vitest'
import type { Incoming } from '../../src/http/wire/exchange.ts'
import { CapturedContent, Exchanges, type LoggedRequest, type RequestEntry } from '../../src/http/wire/exchanges.ts'
import { Recording } from '../../src/session/recording.ts'

const entry = (index: number, more: Partial<RequestEntry> = {}): RequestEntry => ({
  at: 1000 + index,
  tenantId: `tenant${index % 2}`,
  operationId: 'getWorkflow',
  method: 'GET',
  path: `/api/v1/workflows/wf_${index}`,
  status: 200,
  durationMs: index / 8,
  ...more,
})

/** Creates a log without requests. */
const emptyLog = (onRequest?: (request: LoggedRequest) => void) =>
  new Exchanges({ recording: new Recording({ name: 'test', version: '1' }), keepsContents: true, onRequest })

/** Adds entries with the numbers from `first` to `last`. */
function fill(log: Exchanges, first: number, last: number): void {
  for (let id = first; id <= last; id += 1) expect(log.add(entry(id))).toBe(id)
}

const all = { unassigned: true }

test('the log keeps the latest thousand requests', () => {
  const log = emptyLog()
  fill(log, 1, 4321)
  const kept = log.read(5000, all)
  expect(kept).toEqual(Array.from({ length: 1000 }, (_, index) => ({ id: 3322 + index, ...entry(3322 + index) })))
  expect(log.find(4000)?.request).toEqual({ id: 4000, ...entry(4000) })
  expect(log.find(1)).toBeUndefined()
  expect(log.after(4319, all).map(({ id }) => id)).toEqual([4320, 4321])
})

test('a request that was read does not change with later ones', () => {
  const seen: LoggedRequest[] = []
  const log = emptyLog((request) => seen.push(request))
  const refusal = { code: 'invalid-request', detail: 'no' }
  log.add(entry(1, { refusal }))
  const read = [log.find(1)?.request, ...log.read(1, all), ...log.after(0, all)]
  fill(log, 2, 4000)
  for (const request of [...read, seen[0]]) expect(request).toEqual({ id: 1, ...entry(1), refusal })
  expect(log.find(3999)?.request).not.toHaveProperty('refusal')
})

test('the log says up to which number requests were dropped', () => {
  const log = emptyLog()
  fill(log, 1, 1999)
  expect(log.droppedId).toBe(0)
  fill(log, 2000, 3500)
  expect(log.droppedId).toBe((log.after(0, all)[0]?.id ?? 0) - 1)
})

test('clearing one tenant leaves the requests of others', () => {
  const log = emptyLog()
  fill(log, 1, 2500)
  log.clear('tenant1')
  fill(log, 2501, 2502)
  expect(log.read(5000, { ...all, tenantId: 'tenant1' }).map(({ id }) => id)).toEqual([2501])
  expect(log.after(2490, all).map(({ id }) => id)).toEqual([2492, 2494, 2496, 2498, 2500, 2501, 2502])
  log.clear()
  expect(log.read(5000, all)).toEqual([])
  expect(log.lastId).toBe(2502)
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
  const content = new CapturedContent(incoming, 64 * 1024)
  await incoming.readBody(() => true)
  const { parts, size } = content
  expect([parts.length <= 65, size]).toEqual([true, 70_000])
  expect(Buffer.concat(parts).equals(sent.subarray(0, 64 * 1024))).toBe(true)
})

test('of what is kept before and while a stream is open, the oldest requests go first', () => {
  const log = emptyLog()
  const incoming = { method: 'GET', path: '/', search: '', headers: () => [] } as unknown as Incoming
  const keep = (from: number, to: number) => {
    for (let id = from; id <= to; id += 1) {
      const content = log.begin(incoming)?.end({ status: 200, headers: [], body: 'x'.repeat(64 * 1024) })
      log.add(entry(id), content)
    }
  }
  keep(1, 60)
  const stop = log.watch(() => {})
  keep(61, 280)
  const kept = () => log.after(0, all).flatMap(({ id }) => (log.find(id)?.content ? [id] : []))
  const [first, ...others] = kept()
  expect(others.length).toBe(280 - (first ?? 0))
  expect(others.length).toBeLessThan(269)
  stop()
  expect(kept()).toEqual(Array.from({ length: 50 }, (_, index) => 231 + index))
})
