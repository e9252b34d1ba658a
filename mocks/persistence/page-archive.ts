import { type Archive, ArchiveError, type LogRecord, type PastRecord } from '../../src/index.ts'
import { MemoryFiles } from '../../src/mock.ts'
import { drawSecret } from '../../src/world/secret.ts'
import type { PageStore, StoreChanges } from './page-store.ts'

type Kept = PastRecord['record']
type Event = Extract<Kept, { seq: number }>

const prefix = 'v4 '
const names = {
  secret: `${prefix}secret`,
  event: `${prefix}event `,
  clock: `${prefix}clock `,
  file: `${prefix}file `,
}
/** The limit of stored objects, in bytes. */
const mostObjectBytes = 64 * 1024 * 1024

/** Returns the name of an event's entry. Names sort by tenant, and then in the order of the events. */
const nameOf = (tenant: string, { seq }: Event) => `${names.event}${tenant} ${String(seq).padStart(12, '0')}`

/**
 * Stores the state of a mock in the browser, so that the mock continues from it after a reload. Once a write has failed, all others
 * are refused, until the archive was read again and is mockTime to try.
 */
export class PageArchive implements Archive {
  secret = drawSecret()
  readonly #store: PageStore
  /** The entries of events and clocks that were read, in order; empty once they are read. */
  #past: readonly [name: string, value: unknown][] = []
  readonly files = new MemoryFiles(mostObjectBytes, {
    keep: (place, bytes) => this.#write({ set: [[names.file + place, bytes]], remove: [] }),
    remove: (places) => this.#removeFiles(places),
  })
  #isClosed = false
  /** Settles when everything written so far is stored, or could not be. */
  #written: Promise<void> = Promise.resolve()
  /** The latest error of a write. */
  failure: ArchiveError | undefined
  #refuses = false
  /** True if the mock has records that could not be stored: from a failure until the next `load`. */
  isBehind = false

  private constructor(store: PageStore) {
    this.#store = store
  }

  /** Opens a store and removes entries of other versions. Rejects with an `ArchiveError` if it cannot be read. */
  static async open(store: PageStore): Promise<PageArchive> {
    const archive = new PageArchive(store)
    await archive.load()
    return archive
  }

  /** Loads all entries to be read. Rejects with an `ArchiveError`. */
  async load(): Promise<void> {
    await this.settled()
    const entries = await this.#store.read()
    const own = [...entries].filter(([name]) => name.startsWith(prefix))
    this.#past = own.filter(([name]) => name.startsWith(names.event) || name.startsWith(names.clock))
    this.#past = this.#past.toSorted(([one], [other]) => (one < other ? -1 : 1))
    this.files.load(
      own.flatMap(([name, value]) =>
        name.startsWith(names.file) && typeof value !== 'string' ? [[name.slice(names.file.length), value]] : [],
      ),
    )
    this.isBehind = false
    const secret = entries.get(names.secret)
    if (typeof secret === 'string') this.secret = secret
    if (this.#refuses) return
    const foreign = [...entries.keys()].filter((name) => !name.startsWith(prefix))
    this.#write({ set: secret === this.secret ? [] : [[names.secret, this.secret]], remove: foreign })
  }

  /** Lets the next write be tried after a failure, once the archive was read. */
  tryAgain(): void {
    if (!this.isBehind) this.#refuses = false
  }

  /** Resolves when everything is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#written.catch(passOver)
  }

  /** Stores nothing more. Resolves when everything before is stored, or could not be. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  read(take: (past: PastRecord) => void): void {
    /** The place of each tenant's latest event. */
    const last = new Map(this.#past.map(([name], place) => [tenantIn(name), place]))
    for (const [place, [name, value]] of this.#past.entries()) {
      const tenantId = tenantIn(name)
      take({ tenantId, record: recordIn(name, value), later: (last.get(tenantId) ?? place) - place })
    }
    this.#past = []
  }

  append(tenant: string, records: readonly LogRecord[]): void {
    const set = records.flatMap((record): [string, string][] => {
      if ('clock' in record) return [[names.clock + tenant, JSON.stringify(record.clock)]]
      return 'type' in record ? [[nameOf(tenant, record), JSON.stringify(record)]] : []
    })
    this.#write({ set, remove: [] })
  }

  forget(tenant: string): void {
    this.#write({ set: [], remove: [names.clock + tenant], removeBelow: `${names.event}${tenant} ` })
  }

  /** Removes files that no upload names. Those that the store refuses to remove are removed after the next load. */
  #removeFiles(places: readonly string[]): void {
    try {
      this.#write({ set: [], remove: places.map((place) => names.file + place) })
    } catch (error) {
      passOver(error)
    }
  }

  /** Writes changes. Throws an `ArchiveError` if the store refuses at once, or has refused before; `failure` is a later refusal. */
  #write(changes: StoreChanges): void {
    if (this.#isClosed || (changes.set.length === 0 && changes.remove.length === 0)) return
    if (this.#refuses) throw this.failure
    const writing = this.#store.write(changes)
    if (!writing || writing === this.#written) return
    this.#written = writing
    writing.catch((error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error
      this.failure = error
      this.#refuses = true
      this.isBehind = true
    })
  }
}

/** Returns the tenant in the name of an entry of an event or a clock. */
function tenantIn(name: string): string {
  return name.slice(prefix.length).split(' ')[1] ?? ''
}

function recordIn(name: string, value: unknown): Kept {
  const record = objectIn(value)
  if (name.startsWith(names.event)) {
    const unreadable = `the entry of event ${Number(name.slice(-12))} is damaged`
    return typeof record?.type === 'string' ? (record as unknown as Event) : { unreadable }
  }
  const isSound = [record?.mockTime, record?.wallTime, record?.speed].every(Number.isFinite)
  return isSound ? (record as unknown as Kept) : { unreadable: 'the entry of its clock is damaged' }
}

/** Parses an entry. Returns undefined if it is not an object in JSON. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Passes over an `ArchiveError`, which another caller reports. */
export function passOver(error: unknown): undefined {
  if (!(error instanceof ArchiveError)) throw error
}
