import { type Archive, ArchiveError, type PastRecord, type Spool } from '../../world/archive.ts'
import type { ClockReading } from '../../world/clock-reading.ts'
import type { RecordedEvent } from '../../world/events.ts'
import { openOrExplain } from '../opening.ts'
import { type Damage, reasonOf } from './errors.ts'
import { endJson, tenantJson } from './format.ts'
import { LineFile } from './line-file.ts'
import { ObjectFiles } from './object-files.ts'
import type { JournalOptions } from './options.ts'
import { RecordReader } from './record-reader.ts'

/**
 * Opens the journal in a file, and the objects in a folder beside it. A new journal is begun if there is none. A last line
 * that was not written to its end is dropped with a warning. Throws an `ArchiveError` if any other line is not as it was
 * written.
 */
export function openJournal(path: string, options: JournalOptions = {}): JournalFile {
  const open = () => {
    const file = new LineFile(path, options)
    try {
      return new JournalFile(file, new ObjectFiles(`${file.path}.objects`, options.warn))
    } catch (error) {
      file.close()
      throw error
    }
  }
  return openOrExplain(path, open, 'Choose a file that can be read and written.')
}

/** A journal in a file, and its objects in a folder. */
export class JournalFile implements Archive {
  readonly #file: LineFile
  readonly #objects: ObjectFiles
  /** Whether it was read to its end; one that was refused stays as it is. */
  #isSound = true

  constructor(file: LineFile, objects: ObjectFiles) {
    this.#file = file
    this.#objects = objects
  }

  get secret(): string {
    return this.#file.secret
  }

  /** Resolves when no compaction is under way. */
  settled(): Promise<void> {
    return this.#file.settled()
  }

  replay(begin: () => (past: PastRecord) => void): void {
    this.#isSound = false
    for (let damage = this.#replay(begin()); damage; damage = this.#replay(begin())) this.#file.repair(damage)
    this.#isSound = true
    this.#objects.removeUnused()
  }

  bytes(sha256: string): Uint8Array | undefined {
    return this.#objects.bytes(sha256)
  }

  append(tenant: string, events: readonly RecordedEvent[]): void {
    if (events.length === 0) return
    this.#file.write(events.map((event) => ({ kind: 'event', tenant, json: tenantJson(tenant, event) })))
    for (const event of events) this.#referToObject(tenant, event)
  }

  keepClock(tenant: string, clock: ClockReading): void {
    this.#file.write([{ kind: 'clock', tenant, json: tenantJson(tenant, { clock }) }])
    this.#file.compactLater()
  }

  spool(): Spool {
    return this.#objects.spool()
  }

  forget(tenant: string): void {
    if (!this.#file.ledger.has(tenant)) return
    // If no other line counts, the file can begin anew instead of growing by one.
    if (this.#file.ledger.hasOnly(tenant)) this.#file.clear()
    else this.#file.write([{ kind: 'forget', tenant, json: tenantJson(tenant, { forget: true }) }])
    this.#objects.forget(tenant)
    this.#file.compactLater()
  }

  /** Ends it with a closing line, and lets others have it. */
  close(): void {
    if (this.#file.isClosed) return
    try {
      if (this.#isSound && !this.#file.isEnded) this.#file.write([{ kind: 'end', tenant: '', json: endJson }])
    } catch (error) {
      // Without the closing line, it is as if the mock had been killed.
      if (!(error instanceof ArchiveError)) throw error
    }
    this.#objects.close()
    this.#file.close()
  }

  #replay(take: (past: PastRecord) => void): Damage | undefined {
    this.#objects.clear()
    /** How many events of each tenant have been passed. */
    const passed = new Map<string, number>()
    const completions = this.#file.takeCompletions()
    const reader = new RecordReader()
    for (const { bytes, tenant, offset, number } of this.#file.lines()) {
      const record = reader.read(bytes, tenant)
      if ('forget' in record) continue
      try {
        if ('clock' in record) {
          take({ tenantId: tenant, record: record.clock, later: 0 })
        } else {
          const count = (passed.get(tenant) ?? 0) + 1
          passed.set(tenant, count)
          const laterCompletions =
            record.type === 'ExecutionCompleted' ? completions.pass(tenant, record.workflowId) : 0
          const later = this.#file.ledger.eventsOf(tenant) - count
          take({ tenantId: tenant, record, later, laterCompletions })
        }
      } catch (error) {
        // Its checksum is right, so it was already wrong in a journal of version 1, which had none.
        return { line: number, offset, reason: `does not follow from the lines before it (${reasonOf(error)})` }
      }
      if ('type' in record) this.#referToObject(tenant, record)
    }
    return undefined
  }

  #referToObject(tenant: string, event: RecordedEvent): void {
    if (event.type === 'ObjectStored') this.#objects.refer(tenant, event.sessionId, event.sha256)
  }
}
