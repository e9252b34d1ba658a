import { UnavailableError, UncertainError } from '../../src/world/archive.ts'
import type { StreamRecord } from '../../src/world/shared/records.ts'
import type { Addition, Channel, Snapshots, Stream, StreamSnapshotRecord } from '../../src/world/shared/stream.ts'

/** The fate of one access to a stream. */
export type Fate = 'fine' | 'away' | 'uncertain'

interface Kept {
  /** The number of records so far. */
  length: number
  /** The records since the last reset, with their positions. */
  records: { readonly at: number; readonly text: string }[]
  due: number | undefined
  isOpen: boolean
  snapshot?: { readonly at: number; readonly text: string }
}

/** Streams in memory, shared by all that connect to them. Every access takes a turn of the event loop. */
export class MemoryStreams {
  readonly #streams = new Map<string, Kept>([['', { length: 0, records: [], due: undefined, isOpen: false }]])
  readonly #sections = new Map<string, Promise<void>>()

  /** Returns the records of a tenant since its last reset. */
  recordsOf(tenantId: string): StreamRecord[] {
    return this.#streams.get(tenantId)?.records.map(({ text }) => JSON.parse(text)) ?? []
  }

  /** Returns the position of the snapshot of a tenant, and when its next alarm is due by the real clock. */
  stateOf(tenantId: string): { readonly snapshotAt: number | undefined; readonly due: number | undefined } {
    const { snapshot, due } = this.#streams.get(tenantId) ?? {}
    return { snapshotAt: snapshot?.at, due }
  }

  /** Removes the snapshot of a tenant. */
  loseSnapshot(tenantId: string): void {
    delete this.#streams.get(tenantId)?.snapshot
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
    const snapshots: Snapshots = {
      async latest(tenantId) {
        await access()
        return streams.get(tenantId)?.snapshot?.at ?? 0
      },
      async read(tenantId, at, take) {
        await access()
        const { snapshot } = streams.get(tenantId) as Kept
        if (snapshot?.at !== at) return false
        for (const record of JSON.parse(snapshot.text) as StreamSnapshotRecord[]) take([record])
        return true
      },
      async readBack(tenantId, at, take) {
        await access()
        const kept = streams.get(tenantId)?.records.filter((record) => record.at <= at) ?? []
        for (const { text } of kept.reverse()) if (!take([JSON.parse(text)])) return
      },
      async write(tenantId, at, records) {
        await access()
        const kept = streams.get(tenantId)
        if (kept?.records.some((record) => record.at === at)) kept.snapshot = { at, text: JSON.stringify([...records]) }
      },
    }
    return {
      secret: 'shared',
      ...channel,
      snapshots,
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
  if (records.some((record) => 'forget' in record)) {
    kept.records = []
    delete kept.snapshot
  }
  kept.records.push(...records.map((record, index) => ({ at: after + index + 1, text: JSON.stringify(record) })))
  kept.length = after + records.length
  streams.set(tenantId, Object.assign(kept, { due, isOpen }))
  return true
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function ignore(): void {}
