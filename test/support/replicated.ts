import { onTestFinished } from 'vitest'
import type { Mock, MockOptions } from '../../src/index.ts'
import { openPostgres } from '../../src/node/postgres/postgres-stream.ts'
import { tables } from '../../src/node/postgres/schema.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import type { Stream } from '../../src/world/shared/stream.ts'
import { Tenants } from '../../src/world/tenants.ts'
import type { World } from '../../src/world/world.ts'
import type { TestPostgres } from './postgres.ts'

const count = 3

/** The members of a world that tests may read: the mock that has answered the last call is not behind. */
const readable = ['journal', 'sizes'] as const

interface Journal {
  readonly url: string
  readonly streams: readonly Stream[]
}

/**
 * Creates mocks for tests as `createMock` does, except that three mocks on one journal in PostgreSQL answer, each request another one.
 * They end with the test. What only a mock in memory has calls `leaveOut`.
 */
export class ReplicatedMocks {
  /** Journals that a test has used, and that are empty again. */
  readonly #free: Journal[] = []
  readonly #postgres: TestPostgres
  readonly #leaveOut: (what: string) => never
  readonly #closers: (() => Promise<void>)[] = []

  constructor(postgres: TestPostgres, leaveOut: (what: string) => never) {
    this.#postgres = postgres
    this.#leaveOut = leaveOut
  }

  readonly create = (options: MockOptions = {}): Mock => {
    if (options.archive) this.#leaveOut('an archive')
    const opening = this.#open(options)
    onTestFinished(async () => (await opening).close())
    /** Tenants whose worlds a test reads. The first mock creates them before the next call. */
    const toEnter = new Set<string>()
    let latest: Mock | undefined
    let turn = 0
    const next = async () => {
      const { mocks } = await opening
      const tenantIds = [...toEnter]
      toEnter.clear()
      await Promise.all(tenantIds.map((tenantId) => mocks[0]?.tenants.withWorld(tenantId, () => {})))
      turn += 1
      latest = mocks[turn % count] as Mock
      return latest
    }
    const names = new Tenants({ seed: String(options.seed ?? 1), clockSpeed: 0 })
    const worldOf = (tenantId: string) => {
      toEnter.add(tenantId)
      const world = () => latest?.tenants.findWorld(tenantId) ?? this.#leaveOut('a world')
      // Their contents are not kept, but it is known which ones there would be.
      const content: World['content'] = ({ status }) =>
        status === 'requested' ? undefined : this.#leaveOut('contents')
      const there: Partial<World> = { tenantId, content, uploadByKey: (key) => world().uploadByKey(key) }
      for (const name of readable) Object.defineProperty(there, name, { get: () => world()[name] })
      return this.#only<World>('world', there)
    }
    return this.#only<Mock>('mock', {
      fetch: async (input, init) => (await next()).fetch(input, init),
      ready: opening.then(() => {}),
      exportTenant: async (key) => (await next()).exportTenant(key),
      importTenant: async (file, key) => (await next()).importTenant(file, key),
      tenants: this.#only<Tenants>('tenants', {
        idOf: (key: string) => names.idOf(key),
        ofKey: (key: string) => worldOf(names.idOf(key)),
      }),
    })
  }

  /** Closes all connections to the journals. */
  async close(): Promise<void> {
    await Promise.all(this.#closers.map((close) => close()))
  }

  async #open(options: MockOptions) {
    const journal = this.#free.pop() ?? (await this.#createJournal())
    const mocks = await Promise.all(journal.streams.map((stream) => buildSharedMock(options, stream)))
    const close = async () => {
      for (const { tenants } of mocks) tenants.stop()
      await this.#postgres.ask(
        journal.url,
        `DELETE FROM countersign.events; DELETE FROM countersign.streams; ${tables.at(-1)}`,
      )
      this.#free.push(journal)
    }
    return { mocks, close }
  }

  async #createJournal(): Promise<Journal> {
    const url = await this.#postgres.createJournal()
    const streams = await Promise.all(Array.from({ length: count }, () => openPostgres(url)))
    this.#closers.push(...streams.map((stream) => () => stream.close()))
    // Messages only save waiting, and each mock would add a connection for them.
    return { url, streams: streams.map((stream) => withoutNews(stream)) }
  }

  /** Returns a part of an object whose other properties only a mock in memory has. */
  #only<Type extends object>(what: string, there: Partial<Type>): Type {
    return new Proxy(there, {
      get: (target, name) => (name in target ? Reflect.get(target, name) : this.#leaveOut(`${what}.${String(name)}`)),
    }) as Type
  }
}

function withoutNews(stream: Stream): Stream {
  return {
    secret: stream.secret,
    read: (...values) => stream.read(...values),
    append: (addition) => stream.append(addition),
    position: (tenantId) => stream.position(tenantId),
    exclusively: (...values) => stream.exclusively(...values),
    tenants: () => stream.tenants(),
    overdue: (before) => stream.overdue(before),
    onNews() {},
  }
}
