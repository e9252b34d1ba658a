import 'fake-indexeddb/auto'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { handlers } from '../../mocks/handlers.ts'
import { openPageArchive } from '../../mocks/persistence/open-page-archive.ts'
import { PageArchive } from '../../mocks/persistence/page-archive.ts'
import { indexedDbStore, localStorageStore, type PageStore } from '../../mocks/persistence/page-store.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const network = setupServer()

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => {
  vi.stubGlobal('localStorage', storageOf(5_000_000))
})
afterEach(() => {
  network.resetHandlers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
afterAll(() => network.close())

/** A `localStorage` with a limit of characters. */
function storageOf(most: number) {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (name: string) => entries.get(name) ?? null,
    removeItem: (name: string) => void entries.delete(name),
    setItem(name: string, value: string) {
      const others = [...entries].filter(([other]) => other !== name).reduce((sum, [, text]) => sum + text.length, 0)
      if (others + value.length > most) throw new DOMException('full', 'QuotaExceededError')
      entries.set(name, value)
    },
  }
}

const kinds = ['indexeddb', 'localStorage'] as const
let names = 0

/** Creates a store, and a function that opens it as a page does when it is loaded. */
function stores(kind: (typeof kinds)[number]): () => PageStore {
  names += 1
  const name = `test ${names}`
  return () => (kind === 'indexeddb' ? indexedDbStore(name) : localStorageStore(name))
}

async function load(store: PageStore): Promise<{ mock: Mock; archive: PageArchive }> {
  const archive = await PageArchive.open(store)
  return { archive, mock: createMock({ archive, approvers: 'manual', clockSpeed: 0 }) }
}

test.each(kinds)('%s: a reload continues from the state of the page', async (kind) => {
  const [open, key] = [stores(kind), freshKey()]
  const before = await load(open())
  const client = clientOf(before.mock, key)
  const { workflow_id, name } = await client.created()
  const document = await client.stored()
  before.mock.advance('PT3H', key)
  const upload = await client.requested()
  await before.archive.settled()
  const { mock } = await load(open())
  expect(mock.journal.read(key)).toEqual(before.mock.journal.read(key))
  const again = clientOf(mock, key)
  expect((await again.details(workflow_id)).json.name).toBe(name)
  expect(storedBytes(mock.tenants.ofKey(key), document.key)).toEqual(client.pdf)
  expect((await again.created()).workflow_id).not.toBe(workflow_id)
  // An upload URL from before the reload still works.
  expect((await again.store(upload)).status).toBe(200)
})

test.each(kinds)('%s: events from before a reload stay when others follow', async (kind) => {
  const [open, key, other] = [stores(kind), freshKey(), freshKey()]
  const created: string[] = []
  for (const apiKey of [key, other, key, key, other]) {
    const { mock, archive } = await load(open())
    const { workflow_id } = await clientOf(mock, apiKey).created()
    if (apiKey === key) created.push(workflow_id)
    await archive.settled()
  }
  const { mock } = await load(open())
  expect(mock.journal.read(key)).toMatchObject(created.map((workflow_id) => ({ workflow_id })))
  expect(mock.journal.read(other).map(({ seq }) => seq)).toEqual([1, 2])
})

test.each(kinds)('%s: what a reset has removed does not come back', async (kind) => {
  const [open, key, other] = [stores(kind), freshKey(), freshKey()]
  const { mock, archive } = await load(open())
  for (const apiKey of [key, other]) await clientOf(mock, apiKey).stored()
  mock.reset(key)
  await archive.settled()
  const after = await load(open())
  expect([key, other].map((each) => after.mock.journal.read(each).length)).toEqual([0, 2])
  expect([...(await open().read()).keys()].filter((name) => name.startsWith('v4 file '))).toHaveLength(1)
})

test('a full localStorage refuses the call, and keeps nothing of it', async () => {
  vi.stubGlobal('localStorage', storageOf(1500))
  const [open, key] = [stores('localStorage'), freshKey()]
  const { create } = clientOf((await load(open())).mock, key)
  const answers = [await create(), await create(), await create()]
  const refused = answers.find(({ status }) => status === 507)
  expect(refused?.json.detail).toMatch(/^localStorage cannot be written: full\. Use persist: 'indexeddb'\.$/)
  const after = await load(open())
  expect(after.mock.journal.read(key).length).toBe(answers.filter(({ status }) => status === 201).length)
})

/** Handlers that keep their state in IndexedDB, and calls that they answer for a key. `reload` creates the handlers again. */
function keptPage(key = freshKey()) {
  const url = `http://${key.replaceAll('_', '-')}.example`
  const reload = () => network.resetHandlers(...handlers({ baseUrl: url, persist: 'indexeddb', approvers: 'manual' }))
  reload()
  const client = clientOf({ url }, key)
  const count = async () => (await client.get('/__admin/workflows')).json.workflows.length
  return { url, reload, ...client, count, store: indexedDbStore(`countersign ${url}`) }
}

const full = new DOMException('The quota has been exceeded.', 'QuotaExceededError')
let connections: Set<IDBDatabase>
beforeEach(() => {
  connections = new Set()
  const { transaction } = IDBDatabase.prototype
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    connections.add(this)
    return transaction.apply(this, args)
  })
})

/** Returns what breaks IndexedDB, and what makes it work again. */
const troubles: [name: string, status: number, code: string, begin: () => () => void][] = [
  [
    'a full disk',
    507,
    'store-full',
    () => {
      const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
        throw full
      })
      return () => put.mockRestore()
    },
  ],
  [
    'a closed database',
    503,
    'journal-unavailable',
    () => {
      for (const connection of connections) connection.close()
      return () => {}
    },
  ],
]

test.each(troubles)('%s fails one call with %i, and keeps nothing of it', async (_, status, code, begin) => {
  const { create, count, reload } = keptPage()
  expect((await create()).status).toBe(201)
  const end = begin()
  const refused = await mustAnswer(create(), status, code)
  expect(refused.json.detail).toMatch(/^IndexedDB cannot be used: .+\. Free some space, or mock without 'persist'\.$/)
  expect(await Promise.all([count(), count()])).toEqual([1, 1])
  end()
  expect((await create()).status).toBe(201)
  reload()
  expect(await count()).toBe(2)
})

test('on a full disk, calls at once are all refused or kept as answered', async () => {
  const { create, count, reload } = keptPage()
  expect((await create()).status).toBe(201)
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw full
  })
  const answers = await Promise.all([create(), create(), create(), count()])
  put.mockRestore()
  const created = answers.slice(0, 3).filter(({ status }) => status === 201).length
  expect(await count()).toBe(1 + created)
  reload()
  expect(await count()).toBe(1 + created)
})

test('a database that cannot be opened is tried again with the next call', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The database is broken.', 'UnknownError')
  })
  const { create } = keptPage()
  await mustAnswer(create(), 503, 'journal-unavailable')
  open.mockRestore()
  expect((await create()).status).toBe(201)
})

/** Returns what damages a store with the entries of a tenant of three events. */
const damages: [
  name: string,
  changes: (events: readonly string[]) => Partial<Parameters<PageStore['write']>[0]>,
  flaw: RegExp,
][] = [
  ['a damaged entry', ([, second = '']) => ({ set: [[second, '{']] }), /event 2 is damaged/],
  ['a foreign entry', ([, , third = '']) => ({ set: [[third, '[]']] }), /event 3 is damaged/],
  ['a lost entry', ([, second = '']) => ({ remove: [second] }), /event 2 is missing/],
  [
    'a damaged clock',
    ([first = '']) => ({ set: [[first.replace('event', 'clock').replace(/ \d+$/, ''), '{"mockTime":null}']] }),
    /clock is damaged/,
  ],
]

test.each(damages)('after %s, the tenant is set aside until it is reset', async (_, changes, flaw) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { url, create, call, reload, store } = keptPage()
  for (let times = 0; times < 3; times += 1) await create()
  const names = [...(await store.read()).keys()].filter((name) => name.startsWith('v4 event '))
  await store.write({ set: [], remove: [], ...changes(names.sort()) })
  const other = clientOf({ url })
  await other.create()
  reload()
  const refused = await mustAnswer(create(), 409, 'tenant-set-aside')
  expect(refused.json.detail).toMatch(flaw)
  expect(warn.mock.calls).toEqual([[refused.json.detail]])
  await mustAnswer(other.create(), 201)
  await mustAnswer(call('POST', '/__admin/reset'), 204)
  await mustAnswer(create(), 201)
  reload()
  await mustAnswer(create(), 201)
})

/** A lock manager of a browser for one lock, which another page may hold. Its requests wait until they are aborted. */
function lockManager(isHeld: boolean) {
  const request = async (_: string, { signal }: { signal: AbortSignal }, hold: () => Promise<never>) => {
    if (!isHeld) {
      isHeld = true
      return hold()
    }
    return new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      else signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  return { locks: { request } }
}

test('a page that opens its own state again closes the earlier archive', async () => {
  vi.stubGlobal('navigator', lockManager(false))
  const name = `test again ${freshKey()}`
  const first = await openPageArchive('indexeddb', name)
  const mock = createMock({ ...(first && { archive: first }), approvers: 'manual' })
  const key = freshKey()
  await clientOf(mock, key).create()
  const second = await openPageArchive('indexeddb', name)
  await clientOf(mock, key).create()
  const third = await openPageArchive('indexeddb', name)
  const events = [second, third].map((archive) => {
    return createMock({ ...(archive && { archive }), approvers: 'manual' }).journal.read(key).length
  })
  expect(events).toEqual([1, 1])
})

test('a page gets no archive while another page has it open', async () => {
  vi.stubGlobal('navigator', lockManager(true))
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort(new DOMException('', 'TimeoutError')))
  expect(await openPageArchive('indexeddb', freshKey())).toBe(undefined)
})

test('without a store, identifiers differ from those of an earlier page', async () => {
  const url = 'http://unkept.example'
  const create = async () => {
    network.resetHandlers(...handlers({ baseUrl: url, approvers: 'manual' }))
    return (await clientOf({ url }, 'test_unkept').created()).workflow_id
  }
  expect(await create()).not.toBe(await create())
})
