import { expect, test } from 'vitest'
import { Recording } from '../../src/session/recording.ts'
import type { Incoming } from '../../src/wire/exchange.ts'
import { CapturedContent, Exchanges, type LoggedRequest, type RequestEntry } from '../../src/wire/exchanges.ts'

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
function fill(log: Exchanges, first: number, last: number, content?: () => CapturedContent | undefined): void {
  for (let id = first; id <= last; id += 1) expect(log.add(entry(id), content?.())).toBe(id)
}

const all = { unassigned: true }
const idsOf = (requests: readonly LoggedRequest[]) => requests.map(({ id }) => id)

test('the log keeps the latest thousand requests, and says which were dropped', () => {
  const log = emptyLog()
  fill(log, 1, 1999)
  expect(log.droppedId).toBe(0)
  fill(log, 2000, 4321)
  const kept = Array.from({ length: 1000 }, (_, index) => ({ id: 3322 + index, ...entry(3322 + index) }))
  expect(log.read(5000, all)).toEqual(kept)
  expect([log.find(4000)?.request, log.find(1)]).toEqual([{ id: 4000, ...entry(4000) }, undefined])
  expect(idsOf(log.after(4319, all))).toEqual([4320, 4321])
  expect(log.droppedId).toBe((log.after(0, all)[0]?.id ?? 0) - 1)
})

test('a request that was read does not change with later ones', () => {
  const seen: LoggedRequest[] = []
  const log = emptyLog((request) => seen.push(request))
  const refusal = { code: 'invalid-request', detail: 'no' }
  log.add(entry(1, { refusal }))
  const read = [log.find(1)?.request, ...log.read(1, all), ...log.after(0, all)]
  fill(log, 2, 4000)
  expect([...read, seen[0]]).toEqual(Array(4).fill({ id: 1, ...entry(1), refusal }))
  expect(log.find(3999)?.request).not.toHaveProperty('refusal')
})

test('clearing one tenant leaves the requests of others', () => {
  const log = emptyLog()
  fill(log, 1, 2500)
  log.clear('tenant1')
  fill(log, 2501, 2502)
  expect(idsOf(log.read(5000, { ...all, tenantId: 'tenant1' }))).toEqual([2501])
  expect(idsOf(log.after(2490, all))).toEqual([2492, 2494, 2496, 2498, 2500, 2501, 2502])
  log.clear()
  expect([log.read(5000, all), log.lastId]).toEqual([[], 2502])
})

const incoming = { method: 'GET', path: '/', search: '', headers: () => [] } as unknown as Incoming

test('a body in single bytes is kept for the console in few parts', async () => {
  const sent = Uint8Array.from({ length: 70_000 }, (_, index) => index)
  const request: Incoming = {
    ...incoming,
    async readBody(take) {
      for (let at = 0; at < sent.length; at += 1) take(sent.subarray(at, at + 1))
    },
  }
  const content = new CapturedContent(request, 64 * 1024)
  await request.readBody(() => true)
  expect([content.parts.length <= 65, content.size]).toEqual([true, 70_000])
  expect(Buffer.concat(content.parts).equals(sent.subarray(0, 64 * 1024))).toBe(true)
})

test('of what is kept before and while a stream is open, the oldest requests go first', () => {
  const log = emptyLog()
  const content = () => log.begin(incoming)?.end({ status: 200, headers: [], body: 'x'.repeat(64 * 1024) })
  fill(log, 1, 60, content)
  const stop = log.watch(() => {})
  fill(log, 61, 280, content)
  const kept = () => idsOf(log.after(0, all)).filter((id) => log.find(id)?.content)
  const [first = 0, ...others] = kept()
  expect(others.length).toBe(280 - first)
  expect(others.length).toBeLessThan(269)
  stop()
  expect(kept()).toEqual(Array.from({ length: 50 }, (_, index) => 231 + index))
})
