import { expect, test } from 'vitest'
import { LatestDetails } from '../../src/http/service/latest-details.ts'
import { readBytes } from '../../src/http/wire/body.ts'
import { type Incoming, WrittenJson } from '../../src/http/wire/exchange.ts'
import { Memory } from '../../src/world/memory.ts'
import { freshKey, service } from '../support/service.ts'

test('at the limit creating answers 507, and all other calls work', async () => {
  const { mock, key, decide, create, execute, details, requested, store, executed, stored, confirm, world } = service({
    maxMemoryBytes: 300_000,
  })
  const { execution_id, workflow_id, document_id } = await executed()
  const upload = await stored()
  let answer = await create()
  for (let times = 0; times < 1000 && answer.status === 201; times += 1) answer = await create()
  expect(answer).toMatchObject({ status: 507, json: { code: 'memory-full', title: 'Insufficient Storage' } })
  expect(answer.json.detail).toMatch(/^The memory limit of the mock, about 0 MB, is reached\. Reset it/)
  const events = world.journal.length
  expect((await requested()).code).toBe('memory-full')
  expect((await execute(workflow_id, document_id)).status).toBe(507)
  expect((await details(workflow_id, { Authorization: freshKey() })).status).toBe(507)
  expect(world.journal).toHaveLength(events)

  expect((await details(workflow_id)).status).toBe(200)
  expect((await store(upload)).status).toBe(200)
  expect((await confirm(upload)).status).toBe(200)
  expect(decide(execution_id, 'legal').status).toBe('running')
  mock.reset(key)
  expect((await create()).status).toBe(201)
})

/** Returns a body in chunks. */
const inPieces = (count: number, size: number) =>
  ({
    async readBody(take: (chunk: Uint8Array) => boolean) {
      for (let index = 0; index < count; index += 1) take(new Uint8Array(size).fill(index))
    },
  }) as Incoming

test('a body that comes byte by byte is one piece, and counts while it is on its way', async () => {
  const memory = new Memory(1_000_000)
  const bytes = await readBytes(inPieces(100_000, 1), 1_000_000, memory)
  expect(bytes?.length).toBe(100_000)
  expect([bytes?.[1], bytes?.[255], bytes?.[256]]).toEqual([1, 255, 0])
  expect(memory.used).toBe(0)
})

test('without memory a small body is read, and a large one is drained and refused', async () => {
  const memory = new Memory(0)
  expect((await readBytes(inPieces(8, 1000), 100_000, memory))?.length).toBe(8000)
  await expect(readBytes(inPieces(80, 1000), 100_000, memory)).rejects.toThrow(/The memory limit of the mock/)
  expect(memory.used).toBe(0)
})

test('the latest details are kept up to a limit, until the next event', () => {
  const latest = new LatestDetails(100)
  const body = (length: number) => new WrittenJson('x'.repeat(length))
  const workflows = Array.from({ length: 5 }, () => ({}))
  for (const one of workflows) latest.keep(one, 1, body(40))
  expect(latest.bytes).toBe(80)
  expect(workflows.map((one) => latest.find(one, 1)?.bytes.length)).toEqual([undefined, undefined, undefined, 40, 40])
  const [first = {}, , , , last = {}] = workflows
  expect(latest.find(last, 2)).toBe(undefined)
  latest.keep(last, 2, body(50))
  expect([latest.bytes, latest.find(last, 2)?.bytes.length]).toEqual([90, 50])
  latest.keep(first, 1, body(101))
  expect([latest.bytes, latest.find(first, 1)]).toEqual([90, undefined])
})
