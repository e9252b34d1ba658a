import { UnavailableError, UncertainError } from '../../src/world/archive.ts'
import type { StreamRecord } from '../../src/world/shared/records.ts'
import type { Addition, Channel, Stream } from '../../src/world/shared/stream.ts'

/** The fate of one access to a stream. */
export type Fate = 'fine' | 'away' | 'uncertain'

interface Kept {
  /** The number of records so far. */
  length: number
  /** The records since the last reset, with their positions. */
  records: { readonly at: number; readonly text: string }[]
  due: number | undefined
  isOpen: boolean
}

/** Streams in memory, shared by all that connect to them. Every access takes a turn of the event loop. */
export class MemoryStreams {
  readonly #streams = new Map<string, Kept>([['', { length: 0, records: [], due: undefined, isOpen: false }]])
  readonly #sections = new Map<string, Promise<void>>()

  /** Returns the records of a tenant since its last reset. */
  recordsOf(tenantId: string): StreamRecord[] {
    return this.#streams.get(tenantId)?.records.map(({ text }) => JSON.parse(text)) ?? []
  }

  /** Returns when the next alarm of a tenant is due by the real clock. */
  dueOf(tenantId: string): number | undefined {
    return this.#streams.get(tenantId)?.due
  }

  /** Connects a mock. `fate` says what happens to its next access. */
  connect(fate: () => Fate = () => 'fine'): Stream {
    const streams = this.#streams
    const access = async () => {
      await turn()
      if (fate() !== 'fine') throw away
    }
    const read: Channel['read'] = async (tenantId, after, take) => {
      await access()
      const kept = streams.get(tenantId)
      const news = kept?.records.filter(({ at }) => at > after) ?? []
      if (news.length > 0)
        take(
          news.map(({ text }) => JSON.parse(text)),
          0,
        )
      return Math.max(after, kept?.length ?? 0)
    }
    const append = async (addition: Addition) => {
      await turn()
      const happens = fate()
      if (happens === 'away') throw away
      const isStored = store(streams, addition)
      await turn()
      if (happens === 'uncertain') throw lost
      return isStored
    }
    const channel = { read, append }
    return {
      secret: 'shared',
      ...channel,
      async length(tenantId) {
        await access()
        return streams.get(tenantId)?.length ?? 0
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
      async tenants() {
        await access()
        return [...streams].filter(([, { isOpen }]) => isOpen).map(([tenantId]) => tenantId)
      },
      async overdue(before) {
        await access()
        return [...streams].filter(([, { due = before }]) => due < before).map(([tenantId]) => tenantId)
      },
      onNews() {},
    }
  }
}

const away = new UnavailableError('The streams are away.')
const lost = new UncertainError('The streams were lost.')

function store(streams: Map<string, Kept>, { tenantId, after, records, due, isOpen, defaultsAt }: Addition): boolean {
  const kept = streams.get(tenantId) ?? { length: 0, records: [], due, isOpen }
  if (kept.length !== after) return false
  if (defaultsAt !== undefined && streams.get('')?.length !== defaultsAt) return false
  if (records.some((record) => 'forget' in record)) kept.records = []
  kept.records.push(...records.map((record, index) => ({ at: after + index + 1, text: JSON.stringify(record) })))
  kept.length = after + records.length
  streams.set(tenantId, Object.assign(kept, { due, isOpen }))
  return true
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function ignore(): void {}
