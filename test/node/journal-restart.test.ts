import { rmSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { createKeptMock, fill, key, restart } from '../support/kept.ts'
import { clientOf, type Upload } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

type Kept = ReturnType<typeof createKeptMock>

const branch = 'test_branch'
const bytes = (value: number, size = 100) => new Uint8Array(size).fill(value)

test.each([
  ['stop', restart],
  ['kill', ({ path }: Kept, options: MockOptions) => createKeptMock(path, options)],
])('after a %s, what the clock told last was not later', async (_, again) => {
  const options = { startTime: undefined, clockSpeed: 1 } as never
  const first = createKeptMock(undefined, options)
  await first.create()
  first.mock.advance('P30D')
  first.mock.advance('P5D', key)
  const [told, toldAll] = [first.world.clock.now(), first.mock.tenants.clock.now()]
  const { world, mock } = again(first, options)
  expect(world.clock.now()).toBeGreaterThanOrEqual(told)
  expect(mock.tenants.clock.now()).toBeGreaterThanOrEqual(toldAll)
  expect(mock.tenants.clock.now()).toBeLessThan(told)
})

test('after a kill, a fast clock continues as if it had never stopped', () => {
  const startTime = Date.now()
  const real = vi.spyOn(Date, 'now').mockReturnValue(startTime)
  onTestFinished(() => real.mockRestore())
  const { path, mock } = createKeptMock(undefined, { startTime })
  mock.setSpeed(3600)
  real.mockReturnValue(startTime + 2000)
  expect(createKeptMock(path).mock.tenants.clock.now()).toBe(startTime + 2000 * 3600)
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
  const first = createKeptMock()
  act(first.mock)
  const told = first.mock.tenants.clock.now()
  expect(restart(first).mock.tenants.clock.now()).toBe(told)
})

test('an upload URL that has expired stays expired after a restart', async () => {
  const first = createKeptMock()
  const session = await first.requested()
  first.mock.advance('PT16M')
  for (const { store } of [first, restart(first)]) expect((await store(session)).text).toContain('expired')
})

test.each([{}, { seed: 'seed' }])('an upload URL outlives the mock that signed it; options: %o', async (options) => {
  const first = createKeptMock(undefined, options)
  const session = await first.requested()
  // The journal keeps its first secret.
  expect((await restart(first, { seed: 'another' }).store(session)).status).toBe(200)
})

/** Returns the signature of the first upload of a key at a new mock. */
async function signature(options: MockOptions = {}): Promise<string> {
  const { upload_url } = await clientOf(createMock({ startTime: 0, clockSpeed: 0, ...options }), key).requested()
  return upload_url.slice(upload_url.indexOf('/storage/'))
}

test('without a seed the secret is random, but identifiers are not', async () => {
  const [one, two] = [await signature(), await signature()]
  const unsigned = (url: string) => url.replace(/X-Amz-Signature=.*/, '')
  expect(unsigned(one)).toBe(unsigned(two))
  expect(one).not.toBe(two)
  expect(await signature({ seed: '1' })).toBe(await signature({ seed: '1' }))
})

/** Creates a mock that keeps 20 executions, and executes a workflow 61 times. */
async function createFull() {
  const options = { maxExecutions: 20, approvers: 'instant' } as const
  const first = createKeptMock(undefined, options)
  const { workflowId } = await fill(first)
  const { document_id } = await first.confirmed()
  for (let count = 0; count < 60; count += 1) await first.execute(workflowId, document_id)
  return { first, workflowId, again: () => restart(first, options) }
}

test('ended executions and events are bounded after a restart as before it', async () => {
  const { first, workflowId, again } = await createFull()
  const state = ({ world }: Kept) => ({
    executions: world.recentExecutions(workflowId, 1000),
    events: world.journal.read(),
    metrics: world.analytics(workflowId).metrics(),
  })
  const before = state(first)
  expect(before.executions.length).toBeLessThanOrEqual(22)
  expect(before.events.length).toBeLessThanOrEqual(220)
  expect(first.world.journal.length).toBeGreaterThan(300)
  expect(state(again())).toEqual({ ...before, events: before.events.slice(-200) })
})

test('a restart counts the memory of what it restores', async () => {
  const { first, again } = await createFull()
  const before = first.mock.tenants.memory.used
  const { mock } = again()
  // Events beyond the bound are dropped in batches of a tenth, and all at once at a restart.
  expect(Math.abs(mock.tenants.memory.used / before - 1)).toBeLessThan(0.2)
  mock.reset()
  expect(mock.tenants.memory.used).toBe(0)
})

test.each(['stop', 'kill'])('an imported tenant outlives a %s: events, objects and time', async (end) => {
  const first = createKeptMock()
  await fill(first)
  const file = await first.mock.exportTenant(key)
  first.mock.advance('P30D')
  await first.mock.importTenant(file, branch)
  const before = await first.mock.exportTenant(branch)
  const { mock } = end === 'stop' ? restart(first) : createKeptMock(first.path)
  expect(await mock.exportTenant(branch)).toEqual(before)
  expect(Object.keys(before.objects)).toHaveLength(1)
  expect(mock.tenants.ofKey(branch).clock.now()).toBeLessThan(mock.tenants.clock.now())
})

test('a refused import leaves nothing in the journal or beside it', async () => {
  const first = createKeptMock()
  await fill(first)
  const { exported_at, ...file } = await first.mock.exportTenant(key)
  first.mock.reset()
  await expect(first.mock.importTenant({ ...file, exported_at: 'never' }, branch)).rejects.toThrow('/exported_at')
  expect(first.objects()).toEqual([])
  expect(restart(first).mock.journal.read()).toEqual([])
})

test('a journal beyond the memory ceiling opens, and creating is refused', async () => {
  const first = createKeptMock()
  const { workflowId } = await fill(first)
  const { mock, details, create } = restart(first, { maxMemoryBytes: 10_000 })
  expect((await details(workflowId)).status).toBe(200)
  await expect(create()).resolves.toBeUndefined()
  mock.reset()
  await expect(create()).resolves.toMatch(/^wf_/)
})

test('a journal keeps the contents of more objects than fit into memory', async () => {
  const options = { maxStoredBytes: 150 }
  const first = createKeptMock(undefined, options)
  const sessions: Upload[] = []
  for (const value of [1, 2, 3]) sessions.push(await first.upload(bytes(value)))
  const { world } = restart(first, options)
  expect(sessions.map((session) => storedBytes(world, session.key)?.[0])).toEqual([1, 2, 3])
})

test('an object that is overwritten is removed from the disk', async () => {
  const { objects, upload, store } = createKeptMock()
  const session = await upload(bytes(1))
  const [first] = objects()
  for (const _ of ['other bytes', 'the same bytes']) {
    await store(session, bytes(2))
    expect(objects()).toEqual([expect.not.stringMatching(first ?? '')])
  }
})

test('an object is kept until its upload is gone', async () => {
  const first = createKeptMock()
  const tenants = [key, 'test_other']
  for (const tenant of tenants) await first.upload(bytes(1), tenant)
  expect(first.objects()).toHaveLength(2)
  const { mock, objects } = restart(first)
  for (const left of [1, 0]) {
    mock.reset(tenants[left])
    expect(objects()).toHaveLength(left)
  }
})

test('an object that is refused because its upload is confirmed leaves no file', async () => {
  const { objects, upload, confirm, store } = createKeptMock()
  const session = await upload(bytes(1))
  expect((await confirm(session)).status).toBe(200)
  for (const again of [2, 1]) {
    expect((await store(session, bytes(again))).status).toBe(403)
    expect(objects()).toHaveLength(1)
  }
})

test('a lost object does not stop the start', async () => {
  const first = createKeptMock()
  const { key: storageKey } = await first.upload(bytes(1))
  for (const path of first.objects()) rmSync(path)
  const { world } = restart(first)
  expect(storedBytes(world, storageKey)).toBeUndefined()
  expect(world.uploadByKey(storageKey)).toMatchObject({ status: 'stored' })
})
