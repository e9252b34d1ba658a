import { expect, test } from 'vitest'
import { LatestDetails } from '../../src/http/service/latest-details.ts'
import { drain, readBytes } from '../../src/wire/body.ts'
import { type Incoming, WrittenJson } from '../../src/wire/exchange.ts'
import { Memory } from '../../src/world/memory.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { freshKey, service } from '../support/service.ts'

test('at the limit creating answers 507, and all other calls work', async () => {
  const client = service({ maxMemoryBytes: 300_000 })
  const { create, execute, details, store, world } = client
  const { execution_id, workflow_id, document_id } = await client.executed()
  const upload = await client.stored()
  let answer = await create()
  for (let times = 0; times < 1000 && answer.status === 201; times += 1) answer = await create()
  expect(answer).toMatchObject({ status: 507, json: { code: 'memory-full', title: 'Insufficient Storage' } })
  expect(answer.json.detail).toMatch(/^The memory limit of the mock, about 0 MB, is reached\. Reset it/)
  const events = world.journal.length
  expect((await client.requested()).code).toBe('memory-full')
  await mustAnswer(execute(workflow_id, document_id), 507)
  await mustAnswer(details(workflow_id, { Authorization: freshKey() }), 507)
  expect(world.journal).toHaveLength(events)
  await mustAnswer(details(workflow_id), 200)
  await mustAnswer(store(upload), 200)
  await mustAnswer(client.confirm(upload), 200)
  expect(client.decide(execution_id, 'legal').status).toBe('running')
  client.mock.reset(client.key)
  await mustAnswer(create(), 201)
})

/** Returns a request whose body has these chunks. */
const withBody = (chunks: Iterable<Uint8Array>) =>
  ({
    async readBody(take: (chunk: Uint8Array) => boolean) {
      for (const chunk of chunks) if (!take(chunk)) return
    },
  }) as Incoming
const inPieces = (count: number, size: number) =>
  withBody(Array.from({ length: count }, (_, index) => new Uint8Array(size).fill(index)))

test('a body that comes byte by byte is one piece, and counts while it is on its way', async () => {
  const memory = new Memory(1_000_000)
  const bytes = await readBytes(inPieces(100_000, 1), 1_000_000, memory)
  expect([bytes?.length, bytes?.[1], bytes?.[255], bytes?.[256]]).toEqual([100_000, 1, 255, 0])
  expect(memory.used).toBe(0)
})

test('without memory a small body is read, and a large one is drained and refused', async () => {
  const memory = new Memory(0)
  expect((await readBytes(inPieces(8, 1000), 100_000, memory))?.length).toBe(8000)
  await expect(readBytes(inPieces(80, 1000), 100_000, memory)).rejects.toThrow(/The memory limit of the mock/)
  expect(memory.used).toBe(0)
})

test('of an endless body, at most 128 MiB beyond the limit are read', async () => {
  const chunk = new Uint8Array(1024 * 1024)
  let read = 0
  const chunks = function* () {
    for (; ; read += 1) yield chunk
  }
  await drain(withBody(chunks()))
  expect(read).toBe(128)
  expect(await readBytes(withBody(chunks()), chunk.length, new Memory(chunk.length))).toBeUndefined()
  expect(read).toBe(128 + 129)
})

test('the latest details are kept up to a limit, until the next event', () => {
  const latest = new LatestDetails(100)
  const [one, other, third] = [{}, {}, {}]
  const keep = (of: object, at: number, length: number) => latest.keep(of, at, new WrittenJson('x'.repeat(length)))
  const kept = (...of: [object, number][]) => [latest.bytes, ...of.map((each) => latest.find(...each)?.bytes.length)]
  for (const each of [one, other, third]) keep(each, 1, 40)
  expect(kept([one, 1], [other, 1], [third, 1], [third, 2])).toEqual([80, undefined, 40, 40, undefined])
  keep(third, 2, 50)
  keep(one, 1, 101)
  expect(kept([third, 2], [one, 1])).toEqual([90, 50, undefined])
})
