import { type Archive, ArchiveError, type LogRecord, type PastRecord } from '../../world/archive.ts'
import { ObjectFolder, requireFolder } from '../files/object-folder.ts'
import { markOwner } from '../files/owner.ts'
import { openOrExplain } from '../opening.ts'
import { reasonOf } from './errors.ts'
import { endJson, recordIn, type TenantRecord, tenantJson } from './format.ts'
import { LineFile } from './line-file.ts'
import type { JournalOptions } from './options.ts'

/**
 * Opens the journal in a file, and the objects in a folder beside it. Creates the journal if there is none. Drops an
 * incomplete last line with a warning. Throws an `ArchiveError` if any other line is damaged.
 */
export function openJournal(path: string, options: JournalOptions = {}): JournalFile {
  const open = () => {
    const file = new LineFile(path, options)
    try {
      return new JournalFile(file, openFolderBeside(file, options.warn))
    } catch (error) {
      file.close()
      throw error
    }
  }
  return openOrExplain(path, open, 'Choose a file that can be read and written.')
}

/** Opens the folder beside a journal, whose lock holds for both. */
function openFolderBeside(file: LineFile, warn: JournalOptions['warn']): ObjectFolder {
  const { path, id } = file
  const folder = `${path}.objects`
  requireFolder(folder)
  markOwner(folder, id)
  const claim = { isForgotten: false, mustBeHeld: () => file.mustBeOwn(), release() {} }
  return new ObjectFolder(folder, claim, { journal: path, warn })
}

/** A journal in a file, and its objects in a folder. */
export class JournalFile implements Archive {
  readonly #file: LineFile
  readonly files: ObjectFolder
  /** False until the journal was replayed completely. A damaged journal gets no closing line. */
  #isSound = true

  constructor(file: LineFile, files: ObjectFolder) {
    this.#file = file
    this.files = files
  }

  /** The path with symbolic links resolved. */
  get path(): string {
    return this.#file.path
  }

  /** Tells the journal from all others. Its copies have the same. */
  get id(): string {
    return this.#file.id
  }

  get secret(): string {
    return this.#file.secret
  }

  /** Resolves when no compaction is in progress. */
  settled(): Promise<void> {
    return this.#file.settled()
  }

  read(take: (past: PastRecord) => void): void {
    this.#isSound = false
    this.#replay(take)
    this.#isSound = true
  }

  /** Writes events and readings of the clock. Only this process reads the file, so other records are not needed. */
  append(tenant: string, records: readonly LogRecord[]): void {
    if (records.length === 0) return
    const kindOf = (record: LogRecord) => ('clock' in record ? 'clock' : 'event')
    const json = (record: LogRecord) => tenantJson(tenant, record as TenantRecord)
    this.#file.write(records.map((record) => ({ kind: kindOf(record), tenant, json: json(record) })))
    if (records.some((record) => 'clock' in record)) this.#file.compactLater()
  }

  forget(tenant: string): void {
    if (!this.#file.ledger.has(tenant)) return
    // If no other tenant has live lines, the file is emptied instead of growing by a line.
    if (this.#file.ledger.hasOnly(tenant)) this.#file.clear()
    else this.#file.write([{ kind: 'forget', tenant, json: tenantJson(tenant, { forget: true }) }])
    this.#file.compactLater()
  }

  /** Writes the closing line and releases the lock. */
  close(): void {
    if (this.#file.isClosed) return
    try {
      if (this.#isSound && !this.#file.isEnded) this.#file.write([{ kind: 'end', tenant: '', json: endJson }])
    } catch (error) {
      // A missing closing line does no harm: the next start treats it like a crash.
      if (!(error instanceof ArchiveError)) throw error
    }
    this.files.close()
    this.#file.close()
  }

  #replay(take: (past: PastRecord) => void): void {
    /** The number of events still to come, by tenant. */
    const rest = new Map<string, number>()
    const completions = this.#file.takeCompletions()
    for (const { bytes, tenant, number } of this.#file.lines()) {
      let record: TenantRecord
      try {
        record = recordIn(bytes, tenant)
      } catch (error) {
        // The checksum is right, so the mock has written what it cannot read.
        const unreadable = `it cannot be read: ${reasonOf(error)}`
        take({ tenantId: tenant, record: { unreadable }, line: number, later: 0 })
        continue
      }
      if ('clock' in record) take({ tenantId: tenant, record: record.clock, line: number, later: 0 })
      if ('type' in record) {
        const later = (rest.get(tenant) ?? this.#file.ledger.eventCount(tenant)) - 1
        rest.set(tenant, later)
        const laterCompletions = record.type === 'ExecutionCompleted' ? completions.pass(tenant, record.workflowId) : 0
        take({ tenantId: tenant, record, line: number, later, laterCompletions })
      }
    }
  }
}
