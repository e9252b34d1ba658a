import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Mock, MockOptions } from '../../src/mock.ts'
import { idleMs } from '../../src/node/postgres/connection.ts'
import { buildSharedMock, type SharedMock } from '../../src/shared-mock.ts'
import { Random } from '../../src/world/random.ts'
import type { Addition, Position, Stream } from '../../src/world/shared/stream.ts'
import { recordHistory, requestTo, type Send, violationIn } from '../support/call-history.ts'
import { type Fate, MemoryStreams } from '../support/memory-stream.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'
import { clientOf, freshKey, origin, start } from '../support/service.ts'
import { show } from '../support/tenant-story.ts'

const settings: MockOptions = { startTime: start, clockSpeed: 0, approvers: 'manual', admin: {} }

/** Starts mocks that share streams. They end with the test. */
async function share(streams: readonly Stream[], options: MockOptions = {}): Promise<SharedMock[]> {
  const mocks: SharedMock[] = []
  for (const stream of streams) mocks.push(await buildSharedMock({ ...settings, ...options }, stream))
  onTestFinished(() => {
    for (const { tenants } of mocks) tenants.stop()
  })
  return mocks
}

const sendTo =
  ({ fetch }: Mock): Send =>
  (request) =>
    fetch(requestTo(request.path.startsWith('/__admin') ? 'http://localhost' : origin, request))

/** Starts this many mocks that share streams. */
async function connect(count: number, options: MockOptions = {}) {
  const streams = new MemoryStreams()
  const mocks = await share(
    Array.from({ length: count }, () => streams.connect()),
    options,
  )
  const [one, other = one] = mocks as [SharedMock, ...SharedMock[]]
  return { streams, mocks, one, other, key: freshKey() }
}

/** Sends a request and returns the answer. */
function ask(mock: Mock, key: string, method: string, path: string, body?: unknown) {
  return clientOf(mock, key).call(method, path, body)
}

/** Carries out the documented flow, each call at the next mock. */
async function flow(mocks: readonly Mock[], key = freshKey()) {
  let turn = 0
  const next = (request: Request) => {
    turn += 1
    return (mocks[turn % mocks.length] as Mock).fetch(request)
  }
  const client = clientOf({ fetch: next }, key)
  const { workflow_id, document_id, execution_id } = await client.executed()
  expect(execution_id).toMatch(/^exe_/)
  return { ...client, workflow_id, document_id, execution_id }
}

test('the documented flow works with each call at another mock', async () => {
  const { mocks } = await connect(3, { approvers: 'instant' })
  const { details, workflow_id } = await flow(mocks)
  for (const _ of nonEmpty(mocks))
    expect((await details(workflow_id)).json.execution_metrics).toMatchObject({ total: 1, approved: 1 })
})

test('simulated approvers have the same plans in all mocks', async () => {
  const { streams, mocks } = await connect(2, { approvers: 'auto' })
  const { key, post, execution_id } = await flow(mocks)
  const planOf = async (mock: Mock) => (await ask(mock, key, 'GET', `/__admin/executions/${execution_id}`)).json
  const plans = () => Promise.all(mocks.map(planOf))
  for (let decisions = 0; decisions < 2; decisions += 1) {
    const [one, other] = await plans()
    // A simulated approver may reject, which ends the execution early.
    if (one.execution.status !== 'running') break
    expect(one.times).toContainEqual(expect.objectContaining({ due_at: expect.any(String) }))
    expect(other).toEqual(one)
    await post('/__admin/clock/advance', { to: 'next-decision' })
  }
  const late = await share([streams.connect()], { approvers: 'auto' })
  mocks.push(...late)
  const [first, , last] = await plans()
  expect(last).toEqual(first)
  expect(first.execution.status).not.toBe('running')
})

test('a busy quarter is the same in a mock that has not played it', async () => {
  const { one, other, key } = await connect(2, { scenario: 'busy-quarter', approvers: 'auto' })
  const list = async (mock: Mock) => (await ask(mock, key, 'GET', '/__admin/executions?limit=1000')).json
  const played = await list(one)
  expect(played.executions.length).toBeGreaterThan(50)
  expect(await list(other)).toEqual(played)
  expect((await ask(other, key, 'POST', '/__admin/clock/advance', { duration: 'PT72H' })).status).toBe(200)
  expect(await list(one)).toEqual(await list(other))
})

test('clock, settings, scenario and resets are those of all mocks', async () => {
  const { one, other, key } = await connect(2)
  const { workflow_id } = await clientOf(one, key).created()
  const steer = async (mock: Mock, method: string, path: string, body?: object, own = {}) => {
    const headers = { 'Content-Type': 'application/json', ...own }
    const init = { method, headers, body: body ? JSON.stringify(body) : null }
    return (await clientOf(mock).send(new Request(`http://localhost/__admin${path}`, init))).json
  }
  const read = (mock: Mock, path: string, as?: string) =>
    steer(mock, 'GET', path, undefined, as && { Authorization: as })
  await steer(one, 'POST', '/clock/advance', { duration: 'P1D' })
  expect((await read(other, '/clock')).now).toBe(new Date(start + 86_400_000).toISOString())
  await steer(other, 'PUT', '/settings', { approvers: 'instant' })
  for (const as of [undefined, key, freshKey()]) expect((await read(one, '/settings', as)).approvers).toBe('instant')
  await steer(one, 'POST', '/scenarios/first-day')
  expect((await read(other, '/scenarios')).current).toBe('first-day')
  expect((await read(other, '/workflows', key)).workflows[0].workflow_id).not.toBe(workflow_id)
  await steer(other, 'POST', '/reset')
  expect((await read(one, '/workflows', key)).workflows).toEqual([])
  expect((await read(one, '/clock')).now).toBe(new Date(start).toISOString())
  expect((await read(one, '/tenants')).tenants).toHaveLength(1)
})

test('a tenant that was dropped from memory is loaded as it was', async () => {
  const { one: mock, key } = await connect(1, { approvers: 'auto' })
  const { tenants, rounds } = mock
  const tenantId = tenants.idOf(key)
  const { execute, post, workflow_id, document_id } = await flow([mock], key)
  for (let count = 0; count < 12; count += 1) {
    await execute(workflow_id, document_id)
    await post('/__admin/clock/advance', { duration: 'PT1H' })
  }
  const shown = () => show((method, path) => ask(mock, key, method, `/__admin${path}`), tenantId)
  const before = await shown()
  rounds.evictIdle(60_000)
  expect(tenants.has(tenantId)).toBe(true)
  rounds.evictIdle(0)
  expect(tenants.has(tenantId)).toBe(false)
  expect(await shown()).toEqual(before)
})

test('another mock takes over due timers within 5 s, also from a stuck section', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const options = { approvers: 'auto', clockSpeed: 3600, startTime: Date.now() } as const
  const { streams, one: first, other: second } = await connect(2, options)
  const { key } = await flow([first])
  const tenantId = first.tenants.idOf(key)
  const decisions = () =>
    streams.recordsOf(tenantId).filter((one) => 'type' in one && one.type === 'StepDecided').length
  const due = streams.dueOf(tenantId) ?? Number.NaN
  first.tenants.stop()
  await vi.advanceTimersByTimeAsync(due - Date.now())
  expect([decisions(), second.tenants.has(tenantId)]).toEqual([0, false])
  const stuck = () => new Promise<void>((resolve) => setTimeout(resolve, idleMs))
  const stopped = streams.connect().exclusively(tenantId, true, stuck)
  for (let ms = 0; ms < 5000; ms += 50) {
    await vi.advanceTimersByTimeAsync(50)
    // The streams take turns of the event loop, not time.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await stopped
  expect(decisions()).toBeGreaterThan(0)
})

/** Has three mocks called at random, with streams that `spoil` makes wrong, or whose accesses fail as `fate` says. */
async function record(seed: number, { spoil = (stream: Stream) => stream, fate = (): Fate => 'fine' } = {}) {
  const streams = new MemoryStreams()
  let isReady = false
  const mocks = await share([1, 2, 3].map(() => spoil(streams.connect(() => (isReady ? fate() : 'fine')))))
  isReady = true
  const key = freshKey()
  const calls = { key, seed: String(seed), clients: 4, calls: 100 }
  const histories = await recordHistory({ ...calls, mocks: mocks.map(sendTo) })
  return { histories, records: streams.recordsOf((mocks[0] as Mock).tenants.idOf(key)) }
}

test.each([
  ['fine', 0],
  ['uncertain at times', 0.1],
])('histories are linearizable, each event is once: accesses are %s', async (_, share) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const luck = new Random(`fate ${seed}`)
      const fate = () => (luck.draw() < share ? (luck.draw() < 0.5 ? 'away' : 'uncertain') : 'fine')
      const { histories, records } = await record(seed, { fate })
      expect(violationIn(histories)).toBeUndefined()
      const events = nonEmpty(records.flatMap((record) => ('type' in record ? [record] : [])))
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    }),
    { numRuns: 2 },
  )
})

test('mocks agree after their streams went back, and draw no identifier again', async () => {
  const turns = fc.array(fc.nat(2), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(turns, turns, turns, async (kept, lost, later) => {
      const { streams, mocks, key } = await connect(3)
      const create = async (turns: readonly number[]) => {
        const ids: string[] = []
        for (const turn of turns) ids.push((await clientOf(mocks[turn] as Mock, key).created()).workflow_id)
        return ids
      }
      const before = await create(kept)
      const goBack = streams.backUp()
      const gone = await create(lost)
      goBack()
      const after = await create(later)
      for (const mock of nonEmpty(mocks)) {
        const { workflows } = (await ask(mock, key, 'GET', '/__admin/workflows')).json
        const ids = workflows.map(({ workflow_id }: { workflow_id: string }) => workflow_id)
        expect(ids.sort()).toEqual([...before, ...after].sort())
      }
      const all = [...before, ...gone, ...after]
      expect(new Set(all).size).toBe(all.length)
    }),
    { numRuns: cases(15, 4) },
  )
})

/** Returns the position that a stream would have if it had stored an addition. */
const pretend = ({ after, records }: Addition): Position => ({ at: after.at + records.length, batch: randomUUID() })

/** Streams that are wrong in a way that the histories must show. */
const faults: Record<string, (stream: Stream) => Stream> = {
  'a stale read'(stream) {
    let told = 0
    const before = new Map<string, Position>()
    return {
      ...stream,
      async position(tenantId) {
        told += 1
        const position = await stream.position(tenantId)
        // A call asks twice, and must not be told the news the second time.
        if (told % 8 < 2 || !before.has(tenantId)) before.set(tenantId, position)
        return before.get(tenantId) ?? position
      },
      async append(addition) {
        const position = await stream.append(addition)
        if (position) before.set(addition.tenantId, position)
        return position
      },
    }
  },
  'a lost update'(stream) {
    let told = 0
    const append: Stream['append'] = async (addition) => {
      told += 1
      return told % 5 === 0 && addition.tenantId !== '' ? pretend(addition) : stream.append(addition)
    }
    const exclusively: Stream['exclusively'] = (tenantId, waits, use) =>
      stream.exclusively(tenantId, waits, ({ read }) => use({ read, append }))
    return { ...stream, append, exclusively }
  },
  // The answer says that the decision counts, and another one has counted before.
  'a double decision'(stream) {
    const append: Stream['append'] = async (addition) => {
      const isDecision = addition.records.some((record) => 'type' in record && record.type === 'StepDecided')
      return (await stream.append(addition)) ?? (isDecision ? pretend(addition) : undefined)
    }
    // With sections, two mocks would hardly ever decide at the same time.
    return { ...stream, append, exclusively: (_, __, use) => use({ read: stream.read, append }).then(() => true) }
  },
}

test.each(nonEmpty(Object.entries(faults)))('the checker finds %s', async (_, spoil) => {
  let violation: unknown
  for (let seed = 0; seed < 5 && !violation; seed += 1) {
    violation = await record(seed, { spoil }).then(
      ({ histories }) => violationIn(histories),
      (error) => error,
    )
  }
  expect(violation).toBeDefined()
})
