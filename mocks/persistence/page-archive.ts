import { type Archive, ArchiveError, type PastRecord, type Spool } from '../../src/index.ts'
import type { PageStore } from './page-store.ts'

type Kept = PastRecord['record']

const prefix = 'v1 '
const names = {
  secret: `${prefix}secret`,
  event: `${prefix}event `,
  clock: `${prefix}clock `,
  object: `${prefix}object `,
}
/** The limit of stored objects, in bytes. */
const mostObjectBytes = 64 * 1024 * 1024
/** The number of digits in an event's name, padded so that names sort in the order of the events. */
const digits = 12

/** Draws a secret. `crypto.randomUUID` would need HTTPS or localhost. */
function drawSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Stores the state of a mock in the browser, so that the mock continues from it after a reload. */
export class PageArchive implements Archive {
  readonly secret: string
  readonly #store: PageStore
  /** The entries of the store on opening, in order; empty after the replay. */
  #past: readonly [name: string, value: string][]
  readonly #objects: Map<string, Uint8Array>
  /** The names of each tenant's events. */
  readonly #events = new Map<string, string[]>()
  /** The digest of each upload's object, by tenant and upload session. */
  readonly #digests = new Map<string, Map<string, string>>()
  #next = 0
  #isClosed = false
  /** Resolves when everything written so far is stored. */
  #written: Promise<void> = Promise.resolve()

  private constructor(store: PageStore, entries: ReadonlyMap<string, string | Uint8Array>) {
    this.#store = store
    const secret = entries.get(names.secret)
    this.secret = typeof secret === 'string' ? secret : drawSecret()
    const texts = [...entries].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    this.#past = texts.sort(([a], [b]) => (a < b ? -1 : 1))
    const objects = [...entries].flatMap(([name, value]): [string, Uint8Array][] =>
      name.startsWith(names.object) && typeof value !== 'string' ? [[name.slice(names.object.length), value]] : [],
    )
    this.#objects = new Map(objects)
    if (secret === undefined) this.#write({ set: [[names.secret, this.secret]], remove: [] })
  }

  /** Opens a store and removes entries of other versions. Rejects with an `ArchiveError` if it cannot be read. */
  static async open(store: PageStore): Promise<PageArchive> {
    const entries = await store.read()
    const foreign = [...entries.keys()].filter((name) => !name.startsWith(prefix))
    const archive = new PageArchive(store, new Map([...entries].filter(([name]) => name.startsWith(prefix))))
    if (foreign.length > 0) archive.#write({ set: [], remove: foreign })
    return archive
  }

  /** Resolves when everything is stored. Rejects with an `ArchiveError` if something could not be stored. */
  settled(): Promise<void> {
    return this.#written
  }

  /** Stores nothing more. Resolves when everything before is stored, or could not be. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#written.catch(passOver)
  }

  replay(take: (past: PastRecord) => void): void {
    const events = this.#past.flatMap(([name, value]) => {
      if (!name.startsWith(names.event)) return []
      const { tenant, record } = JSON.parse(value) as { tenant: string; record: Kept }
      return [{ name, tenant, record }]
    })
    for (const { name, tenant } of events) this.#namesOf(tenant).push(name)
    const left = new Map([...this.#events].map(([tenant, all]) => [tenant, all.length]))
    for (const { name, tenant: tenantId, record } of events) {
      const later = (left.get(tenantId) ?? 0) - 1
      left.set(tenantId, later)
      take({ tenantId, record, later })
      this.#referTo(tenantId, record)
      this.#next = Number(name.slice(names.event.length)) + 1
    }
    for (const [name, value] of this.#past) {
      if (name.startsWith(names.clock)) {
        take({ tenantId: name.slice(names.clock.length), record: JSON.parse(value), later: 0 })
      }
    }
    this.#past = []
    this.#write({ set: [], remove: this.#removeUnused() })
  }

  bytes(sha256: string): Uint8Array | undefined {
    return this.#objects.get(sha256)
  }

  append(tenant: string, events: readonly Extract<Kept, { seq: number }>[]): void {
    const set = events.map((record, index): [string, string] => [
      names.event + String(this.#next + index).padStart(digits, '0'),
      JSON.stringify({ tenant, record }),
    ])
    this.#write({ set, remove: [] })
    this.#next += events.length
    this.#namesOf(tenant).push(...set.map(([name]) => name))
    for (const record of events) this.#referTo(tenant, record)
  }

  keepClock(tenant: string, reading: Kept): void {
    this.#write({ set: [[names.clock + tenant, JSON.stringify(reading)]], remove: [] })
  }

  spool(): Spool {
    const chunks: Uint8Array[] = []
    return {
      add: (chunk) => void chunks.push(chunk.slice()),
      keep: (sha256) => this.#keepObject(sha256, chunks),
      drop: () => void chunks.splice(0),
    }
  }

  forget(tenant: string): void {
    const events = this.#events.get(tenant) ?? []
    this.#events.delete(tenant)
    this.#digests.delete(tenant)
    this.#write({ set: [], remove: [...events, names.clock + tenant, ...this.#removeUnused()] })
  }

  #keepObject(sha256: string, chunks: readonly Uint8Array[]): void {
    const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
    const kept = [...this.#objects.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (this.#objects.has(sha256) || kept + size > mostObjectBytes) return
    const bytes = new Uint8Array(size)
    let offset = 0
    for (const chunk of chunks) {
      bytes.set(chunk, offset)
      offset += chunk.byteLength
    }
    this.#write({ set: [[names.object + sha256, bytes]], remove: [] })
    this.#objects.set(sha256, bytes)
  }

  #namesOf(tenant: string): string[] {
    const found = this.#events.get(tenant) ?? []
    this.#events.set(tenant, found)
    return found
  }

  #referTo(tenant: string, record: Kept): void {
    if (!('type' in record) || record.type !== 'ObjectStored') return
    const digests = this.#digests.get(tenant) ?? new Map<string, string>()
    const name = record.object ?? record.sha256
    if (name !== undefined) digests.set(record.sessionId, name)
    this.#digests.set(tenant, digests)
  }

  /** Removes the objects that no upload refers to, and returns their names. */
  #removeUnused(): string[] {
    const used = new Set([...this.#digests.values()].flatMap((digests) => [...digests.values()]))
    const unused = [...this.#objects.keys()].filter((sha256) => !used.has(sha256))
    for (const sha256 of unused) this.#objects.delete(sha256)
    return unused.map((sha256) => names.object + sha256)
  }

  /** Writes changes. Throws an `ArchiveError` if the store refuses immediately; `settled` reports later refusals. */
  #write(changes: Parameters<PageStore['write']>[0]): void {
    if (this.#isClosed || (changes.set.length === 0 && changes.remove.length === 0)) return
    const writing = this.#store.write(changes)
    if (!writing) return
    const before = this.#written
    this.#written = Promise.all([before, writing]).then(() => {})
    // The next answer waits for `settled`, which reports the error.
    this.#written.catch(passOver)
  }
}

/** Passes over an `ArchiveError`, which another caller reports. */
export function passOver(error: unknown): undefined {
  if (!(error instanceof ArchiveError)) throw error
}
