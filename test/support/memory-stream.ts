import { randomUUID } from 'node:crypto'
import { UnavailableError, UncertainError } from '../../src/world/archive.ts'
import {
  type Addition,
  type Channel,
  type Position,
  type Stream,
  type StreamRecord,
  start,
} from '../../src/world/shared/stream.ts'

/** The fate of one access to a stream. */
export type Fate = 'fine' | 'away' | 'uncertain'

interface Kept {
  position: Position
  /** The records since the last reset, with their positions. */
  records: (Position & { readonly text: string })[]
  due: number | undefined
  isOpen: boolean
}

/** Streams in memory, shared by all that connect to them. Every access takes a turn of the event loop. */
export class MemoryStreams {
  #streams = new Map<string, Kept>([['', { position: start, records: [], due: undefined, isOpen: false }]])
  readonly #sections = new Map<string, Promise<void>>()

  /** Returns the records of a tenant since its last reset. */
  recordsOf(tenantId: string): StreamRecord[] {
    return this.#streams.get(tenantId)?.records.map(({ text }) => JSON.parse(text)) ?? []
  }

  /** Keeps a copy. Returns how to go back to it, as a database does when a backup is restored. */
  backUp(): () => void {
    const copy = structuredClone(this.#streams)
    return () => {
      this.#streams = structuredClone(copy)
    }
  }

  /** Returns when the next alarm of a tenant is due by the real clock. */
  dueOf(tenantId: string): number | undefined {
    return this.#streams.get(tenantId)?.due
  }

  /** Connects a mock. `fate` says what happens to its next access. */
  connect(fate: () => Fate = () => 'fine'): Stream {
    const kept = (tenantId: string) => this.#streams.get(tenantId)
    const access = async () => {
      await turn()
      if (fate() !== 'fine') throw away
    }
    const read: Channel['read'] = async (tenantId, after, take) => {
      await access()
      const { records = [], position = start } = kept(tenantId) ?? {}
      const known = records.findLast(({ at }) => at <= after.at) ?? (position.at > after.at ? after : start)
      if (known.batch !== after.batch) return undefined
      const news = records.filter(({ at }) => at > after.at)
      if (news.length > 0)
        take(
          news.map(({ text }) => JSON.parse(text)),
          0,
        )
      return position
    }
    const append = async (addition: Addition) => {
      await turn()
      const happens = fate()
      if (happens === 'away') throw away
      const position = store(this.#streams, addition)
      await turn()
      if (happens === 'uncertain') throw lost
      return position
    }
    const channel = { read, append }
    return {
      secret: 'shared',
      ...channel,
      async position(tenantId) {
        await access()
        return kept(tenantId)?.position ?? start
      },
      exclusively: async (tenantId, waits, use) => {
        await access()
        for (let held = this.#sections.get(tenantId); held; held = this.#sections.get(tenantId)) {
          if (!waits) return false
          await held
        }
        const section = use(channel)
        const ended = section.then(ignore, ignore).then(() => void this.#sections.delete(tenantId))
        this.#sections.set(tenantId, ended)
        await section
        return true
      },
      tenants: async () => {
        await access()
        return [...this.#streams].filter(([, { isOpen }]) => isOpen).map(([tenantId]) => tenantId)
      },
      overdue: async (before) => {
        await access()
        return [...this.#streams].filter(([, { due = before }]) => due < before).map(([tenantId]) => tenantId)
      },
      onNews() {},
    }
  }
}

const away = new UnavailableError('The streams are away.')
const lost = new UncertainError('The streams were lost.')

function store(streams: Map<string, Kept>, addition: Addition): Position | undefined {
  const { tenantId, after, records, due, isOpen, defaultsAt } = addition
  const kept = streams.get(tenantId) ?? { position: start, records: [], due, isOpen }
  if (kept.position.batch !== after.batch) return undefined
  if (defaultsAt && streams.get('')?.position.batch !== defaultsAt.batch) return undefined
  if (records.some((record) => 'forget' in record)) kept.records = []
  const batch = randomUUID()
  kept.records.push(...records.map((record, i) => ({ at: after.at + i + 1, batch, text: JSON.stringify(record) })))
  const position = { at: after.at + records.length, batch }
  streams.set(tenantId, Object.assign(kept, { position, due, isOpen }))
  return position
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function ignore(): void {}
