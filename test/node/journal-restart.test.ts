import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { createKeptMock, fill, journalPath, key, objectsOf } from '../support/kept.ts'
import { clientOf } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const bytes = (value: number, size = 100) => new Uint8Array(size).fill(value)

/** Ends a mock, either by a stop or without notice, as a kill does. */
const endings = { stop: (mock: ReturnType<typeof createKeptMock>) => mock.stop(), kill: () => {} }

test.each(['stop', 'kill'] as const)('after a %s, what the clock told last was not later', async (end) => {
  const path = journalPath()
  const options = { startTime: undefined, clockSpeed: 1 } as never
  const first = createKeptMock(path, options)
  await first.create()
  first.mock.advance('P30D')
  first.mock.advance('P5D', key)
  const [told, toldAll] = [first.world.clock.now(), first.mock.tenants.clock.now()]
  endings[end](first)
  const second = createKeptMock(path, options)
  expect(second.world.clock.now()).toBeGreaterThanOrEqual(told)
  expect(second.mock.tenants.clock.now()).toBeGreaterThanOrEqual(toldAll)
  expect(second.mock.tenants.clock.now()).toBeLessThan(told)
})

test('after a kill, a fast clock continues as if it had never stopped', async () => {
  const path = journalPath()
  const started = Date.now()
  const real = vi.spyOn(Date, 'now')
  try {
    real.mockReturnValue(started)
    const first = createKeptMock(path, { clockSpeed: 0, startTime: started })
    first.mock.setSpeed(3600)
    real.mockReturnValue(started + 2000)
    const second = createKeptMock(path, { clockSpeed: 0 })
    expect(second.mock.tenants.clock.now()).toBe(started + 2000 * 3600)
  } finally {
    real.mockRestore()
  }
})

test.each<[string, (mock: Mock) => void]>([
  [
    'a change of speed',
    (mock) => {
      mock.setSpeed(3600)
      mock.setSpeed(0)
    },
  ],
  [
    'a reset',
    (mock) => {
      mock.advance('P30D')
      mock.reset()
    },
  ],
])('after %s and a stop, the clock goes on where it stopped', (_, act) => {
  const path = journalPath()
  const first = createKeptMock(path)
  act(first.mock)
  const told = first.mock.tenants.clock.now()
  first.stop()
  expect(createKeptMock(path).mock.tenants.clock.now()).toBe(told)
})

test('an upload URL that has expired stays expired after a restart', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const session = await first.requested()
  first.mock.advance('PT16M')
  expect((await first.store(session)).text).toContain('expired')
  first.stop()
  expect((await createKeptMock(path).store(session)).text).toContain('expired')
})

test.each([undefined, 'seed'])('an upload URL outlives the mock that signed it; seed: %s', async (seed) => {
  const path = journalPath()
  const first = createKeptMock(path, seed === undefined ? {} : { seed })
  const session = await first.requested()
  first.stop()
  // The journal keeps its first secret.
  expect((await createKeptMock(path, { seed: 'another' }).store(session)).status).toBe(200)
})

/** Returns the signature of the first upload of a key. */
async function signature(mock: ReturnType<typeof createMock>): Promise<string> {
  const { upload_url } = await clientOf(mock, key).requested()
  return upload_url.slice(upload_url.indexOf('/storage/'))
}

test('without a seed the secret is random, but identifiers are not', async () => {
  const steady = { startTime: 0, clockSpeed: 0 }
  const [one, two] = [await signature(createMock(steady)), await signature(createMock(steady))]
  const unsigned = (url: string) => url.replace(/X-Amz-Signature=.*/, '')
  expect(unsigned(one)).toBe(unsigned(two))
  expect(one).not.toBe(two)
  const seeded = { ...steady, seed: '1' }
  expect(await signature(createMock(seeded))).toBe(await signature(createMock(seeded)))
})

/** Creates a mock that keeps 20 executions, and executes a workflow 61 times. */
async function createFull() {
  const path = journalPath()
  const create = () => createKeptMock(path, { maxExecutions: 20, approvers: 'instant' })
  const first = create()
  const { workflowId } = await fill(first)
  const { document_id } = await first.confirmed()
  for (let count = 0; count < 60; count += 1) await first.execute(workflowId, document_id)
  return { first, workflowId, again: create }
}

test('ended executions and events are bounded after a restart as before it', async () => {
  const { first, workflowId, again } = await createFull()
  const state = ({ world }: ReturnType<typeof createKeptMock>) => ({
    executions: world.recentExecutions(workflowId, 1000),
    events: world.journal.read(),
    metrics: world.analytics(workflowId).metrics(),
  })
  const before = state(first)
  expect(before.executions.length).toBeLessThanOrEqual(22)
  expect(before.events.length).toBeLessThanOrEqual(220)
  expect(first.world.journal.length).toBeGreaterThan(300)
  first.stop()
  expect(state(again())).toEqual({ ...before, events: before.events.slice(-200) })
})

test('a restart counts the memory of what it restores', async () => {
  const { first, again } = await createFull()
  const before = first.mock.tenants.memory.used
  first.stop()
  const { mock } = again()
  // Events beyond the bound are dropped in batches of a tenth, and all at once at a restart.
  expect(mock.tenants.memory.used / before).toBeGreaterThan(0.8)
  expect(mock.tenants.memory.used / before).toBeLessThan(1.2)
  mock.reset()
  expect(mock.tenants.memory.used).toBe(0)
})

test('a journal beyond the memory ceiling opens, and creating is refused', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const { workflowId } = await fill(first)
  first.stop()
  const { mock, details, create } = createKeptMock(path, { maxMemoryBytes: 10_000 })
  expect((await details(workflowId)).status).toBe(200)
  await expect(create()).resolves.toBeUndefined()
  mock.reset()
  await expect(create()).resolves.toMatch(/^wf_/)
})

test('a journal keeps the contents of more objects than fit into memory', async () => {
  const path = journalPath()
  const options = { maxStoredBytes: 150 }
  const first = createKeptMock(path, options)
  const sessions = []
  for (let value = 1; value <= 3; value += 1) sessions.push(await first.upload(bytes(value)))
  first.stop()
  const { world } = createKeptMock(path, options)
  expect(sessions.map((session) => storedBytes(world, session.key)?.[0])).toEqual([1, 2, 3])
})

test('an object that is overwritten is removed from the disk', async () => {
  const path = journalPath()
  const { upload, store } = createKeptMock(path)
  const session = await upload(bytes(1))
  const [first] = objectsOf(path)
  await store(session, bytes(2))
  expect(objectsOf(path)).toEqual([expect.not.stringMatching(first ?? '')])
  await store(session, bytes(2))
  expect(objectsOf(path)).toHaveLength(1)
})

test('an object is kept until its upload is gone', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await first.upload(bytes(1), key)
  await first.upload(bytes(1), 'test_other')
  expect(objectsOf(path)).toHaveLength(2)
  first.stop()
  const { mock } = createKeptMock(path)
  mock.reset(key)
  expect(objectsOf(path)).toHaveLength(1)
  mock.reset('test_other')
  expect(objectsOf(path)).toEqual([])
})

test('an object that is refused because its upload is confirmed leaves no file', async () => {
  const path = journalPath()
  const { upload, confirm, store } = createKeptMock(path)
  const session = await upload(bytes(1))
  expect((await confirm(session)).status).toBe(200)
  for (const again of [2, 1]) {
    expect((await store(session, bytes(again))).status).toBe(403)
    expect(objectsOf(path)).toHaveLength(1)
  }
})

test('a lost object does not stop the start', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const { key: storageKey } = await first.upload(bytes(1))
  first.stop()
  const [name = ''] = objectsOf(path)
  rmSync(join(`${path}.objects`, name))
  const second = createKeptMock(path)
  expect(storedBytes(second.world, storageKey)).toBeUndefined()
  expect(second.world.uploadByKey(storageKey)).toMatchObject({ status: 'stored' })
})
