import { expect, test } from 'vitest'
import { type LoggedRequest, type RequestEntry, RequestLog } from '../../src/http/wire/request-log.ts'

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

/** Adds entries with the numbers from `first` to `last`. */
function fill(log: RequestLog, first: number, last: number): void {
  for (let id = first; id <= last; id += 1) expect(log.add(entry(id))).toBe(id)
}

const all = { unassigned: true }

test('the log keeps the latest thousand requests', () => {
  const log = new RequestLog()
  fill(log, 1, 4321)
  const kept = log.read(5000, all)
  expect(kept).toEqual(Array.from({ length: 1000 }, (_, index) => ({ id: 3322 + index, ...entry(3322 + index) })))
  expect(log.find(4000)).toEqual({ id: 4000, ...entry(4000) })
  expect(log.find(1)).toBeUndefined()
  expect(log.after(4319).map(({ id }) => id)).toEqual([4320, 4321])
})

test('a request that was read does not change with later ones', () => {
  const seen: LoggedRequest[] = []
  const log = new RequestLog((request) => seen.push(request))
  const refusal = { code: 'invalid-request', detail: 'no' }
  log.add(entry(1, { refusal }))
  const read = [log.find(1), ...log.read(1, all), ...log.after(0)]
  fill(log, 2, 4000)
  for (const request of [...read, seen[0]]) expect(request).toEqual({ id: 1, ...entry(1), refusal })
  expect(log.find(3999)).not.toHaveProperty('refusal')
})

test('listeners get each request that is dropped once, in order', () => {
  const log = new RequestLog()
  const dropped: LoggedRequest[] = []
  const stop = log.onDropped((requests) => dropped.push(...requests))
  fill(log, 1, 3500)
  stop()
  fill(log, 3501, 6000)
  expect(dropped).toEqual(
    Array.from({ length: dropped.length }, (_, index) => ({ id: index + 1, ...entry(index + 1) })),
  )
  expect(dropped.length).toBe(2000)
})

test('clearing one tenant leaves the requests of others', () => {
  const log = new RequestLog()
  fill(log, 1, 2500)
  log.clear('tenant1')
  fill(log, 2501, 2502)
  expect(log.read(5000, { ...all, tenantId: 'tenant1' }).map(({ id }) => id)).toEqual([2501])
  expect(log.after(2490).map(({ id }) => id)).toEqual([2492, 2494, 2496, 2498, 2500, 2501, 2502])
  log.clear()
  expect(log.read(5000, all)).toEqual([])
  expect(log.lastId).toBe(2502)
})
