import 'fake-indexeddb/auto'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { handlers } from '../../mocks/handlers.ts'
import { openPageArchive } from '../../mocks/persistence/open-page-archive.ts'
import { PageArchive } from '../../mocks/persistence/page-archive.ts'
import { indexedDbStore, localStorageStore, type PageStore } from '../../mocks/persistence/page-store.ts'
import { createClient } from '../../src/client/index.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { freshKey, workflow } from '../support/service.ts'
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

function clientOf(mock: Mock, apiKey: string) {
  const client = createClient({ baseUrl: 'http://page.test', apiKey, fetch: (request) => mock.fetch(request) })
  const create = () => client.POST('/api/v1/workflows', { body: workflow() })
  return { ...client, create, createdId: async () => (await create()).data?.workflow_id ?? '' }
}

test.each(kinds)('%s: a reload continues from the state of the page', async (kind) => {
  const [open, key] = [stores(kind), freshKey()]
  const before = await load(open())
  const client = clientOf(before.mock, key)
  const workflow_id = await client.createdId()
  const file = new Blob([new Uint8Array(3000).map((_, index) => index)])
  const document = await client.uploadDocument(file, { fileName: 'a.pdf' })
  before.mock.advance('PT3H', key)
  await before.archive.settled()
  const after = await load(open())
  expect(after.mock.journal.read(key)).toEqual(before.mock.journal.read(key))
  const again = clientOf(after.mock, key)
  const read = await again.GET('/api/v1/workflows/{workflow_id}', { params: { path: { workflow_id } } })
  expect(read.data?.name).toBe(workflow().name)
  expect(storedBytes(after.mock.tenants.ofKey(key), document.key)).toEqual(new Uint8Array(await file.arrayBuffer()))
  expect(await again.createdId()).not.toBe(workflow_id)
})

test.each(kinds)('%s: events from before a reload stay when others follow', async (kind) => {
  const [open, key, other] = [stores(kind), freshKey(), freshKey()]
  const created: string[] = []
  for (const apiKey of [key, other, key, key, other]) {
    const { mock, archive } = await load(open())
    const id = await clientOf(mock, apiKey).createdId()
    if (apiKey === key) created.push(id)
    await archive.settled()
  }
  const { mock } = await load(open())
  const events = mock.journal.read(key).map((event) => ('workflow_id' in event ? event.workflow_id : undefined))
  expect(events).toEqual(created)
  expect(mock.journal.read(other).map(({ seq }) => seq)).toEqual([1, 2])
})

test.each(kinds)('%s: an upload URL from before the reload still works', async (kind) => {
  const [open, key] = [stores(kind), freshKey()]
  const { mock, archive } = await load(open())
  const body = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 3 }
  const { data } = await clientOf(mock, key).POST('/api/v1/upload/', { body })
  await archive.settled()
  const after = await load(open())
  const put = new Request(data?.upload_url ?? '', { method: 'PUT', headers: data?.headers ?? {}, body: 'abc' })
  expect((await after.mock.fetch(put)).status).toBe(200)
})

test.each(kinds)('%s: what a reset has removed does not come back', async (kind) => {
  const [open, key, other] = [stores(kind), freshKey(), freshKey()]
  const { mock, archive } = await load(open())
  for (const apiKey of [key, other]) {
    await clientOf(mock, apiKey).uploadDocument(new Blob([apiKey]), { fileName: 'a.pdf' })
  }
  mock.reset(key)
  await archive.settled()
  const after = await load(open())
  expect(after.mock.journal.read(key)).toEqual([])
  expect(after.mock.journal.read(other).length).toBe(3)
  const objects = [...(await open().read()).keys()].filter((name) => name.startsWith('v4 file '))
  expect(objects.length).toBe(1)
})

test('a full localStorage refuses the call, and keeps nothing of it', async () => {
  vi.stubGlobal('localStorage', storageOf(1500))
  const [open, key] = [stores('localStorage'), freshKey()]
  const { mock } = await load(open())
  const { create } = clientOf(mock, key)
  const answers = [await create(), await create(), await create()]
  const refused = answers.find(({ response }) => response.status === 507)
  expect(refused?.error?.detail).toMatch(/^localStorage cannot be written: full\. Use persist: 'indexeddb'\.$/)
  const created = answers.filter(({ response }) => response.status === 201)
  const after = await load(open())
  expect(after.mock.journal.read(key).length).toBe(created.length)
})

/** Handlers that keep their state in IndexedDB, and calls that they answer for a key. `reload` creates the handlers again. */
function keptPage(key = freshKey()) {
  const baseUrl = `http://${key.replaceAll('_', '-')}.example`
  const reload = () => network.resetHandlers(...handlers({ baseUrl, persist: 'indexeddb', approvers: 'manual' }))
  reload()
  const call = async (method: string, path: string, as = key) => {
    const post = method === 'POST' && { body: JSON.stringify(workflow()) }
    const headers = { Authorization: as, ...(post && { 'Content-Type': 'application/json' }) }
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...post })
    const text = await answer.text()
    return { status: answer.status, json: text ? JSON.parse(text) : undefined }
  }
  const create = (as = key) => call('POST', '/api/v1/workflows', as)
  const count = async () => (await call('GET', '/__admin/workflows')).json.workflows.length
  return { reload, call, create, count, store: indexedDbStore(`countersign ${baseUrl}`) }
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
  const refused = await create()
  expect([refused.status, refused.json.code]).toEqual([status, code])
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
  const created = answers.filter((answer) => typeof answer === 'object' && answer.status === 201).length
  expect(await count()).toBe(1 + created)
  reload()
  expect(await count()).toBe(1 + created)
})

test('a database that cannot be opened is tried again with the next call', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The database is broken.', 'UnknownError')
  })
  const { create } = keptPage()
  const refused = await create()
  expect([refused.status, refused.json.code]).toEqual([503, 'journal-unavailable'])
  open.mockRestore()
  expect((await create()).status).toBe(201)
})

/** Damages the entries of the tenant of three events. */
const damages: [name: string, damage: (names: readonly string[], store: PageStore) => unknown, flaw: RegExp][] = [
  [
    'a damaged entry',
    ([, second = ''], store) => store.write({ set: [[second, '{']], remove: [] }),
    /event 2 is damaged/,
  ],
  [
    'a foreign entry',
    ([, , third = ''], store) => store.write({ set: [[third, '[]']], remove: [] }),
    /event 3 is damaged/,
  ],
  ['a lost entry', ([, second = ''], store) => store.write({ set: [], remove: [second] }), /event 2 is missing/],
  [
    'a damaged clock',
    ([first = ''], store) => {
      const clock = first.replace('event', 'clock').replace(/ \d+$/, '')
      return store.write({ set: [[clock, '{"mockTime":null}']], remove: [] })
    },
    /clock is damaged/,
  ],
]

test.each(damages)('%s sets its tenant aside, and a reset mends it', async (_, damage, flaw) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { create, call, reload, store } = keptPage()
  for (let times = 0; times < 3; times += 1) await create()
  const other = freshKey()
  const names = [...(await store.read()).keys()].filter((name) => name.startsWith('v4 event '))
  await damage(names.sort(), store)
  await create(other)
  reload()
  const refused = await create()
  expect([refused.status, refused.json.code]).toEqual([409, 'tenant-set-aside'])
  expect(refused.json.detail).toMatch(flaw)
  expect(warn.mock.calls).toEqual([[refused.json.detail]])
  expect((await create(other)).status).toBe(201)
  expect((await call('POST', '/__admin/reset')).status).toBe(204)
  expect((await create()).status).toBe(201)
  reload()
  expect((await create()).status).toBe(201)
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

test('handlers keep their state in the page, and identifiers differ without it', async () => {
  const key = freshKey()
  const baseUrl = 'http://kept.example'
  const create = async (options: object) => {
    network.resetHandlers(...handlers({ baseUrl, approvers: 'manual', ...options }))
    const client = createClient({ baseUrl, apiKey: key })
    return (await client.POST('/api/v1/workflows', { body: workflow() })).data?.workflow_id ?? ''
  }
  const kept = await create({ persist: 'indexeddb' })
  const [first, second] = [await create({}), await create({})]
  expect(first).not.toBe(second)
  network.resetHandlers(...handlers({ baseUrl, persist: 'indexeddb' }))
  const params = { path: { workflow_id: kept } }
  const { data } = await createClient({ baseUrl, apiKey: key }).GET('/api/v1/workflows/{workflow_id}', { params })
  expect(data?.workflow_id).toBe(kept)
})
