import { type Archive, ArchiveError, type LogRecord, type PastRecord } from '../../world/archive.ts'
import { ObjectFolder, requireFolder } from '../files/object-folder.ts'
import { markOwner } from '../files/owner.ts'
import { openOrExplain, reasonOf } from './errors.ts'
import { endJson, recordIn, type TenantRecord, tenantJson } from './format.ts'
import { type JournalOptions, LineFile } from './line-file.ts'

/**
 * Opens the journal in a file, and the objects in a folder beside it. Creates the journal if there is none. Drops an
 * incomplete last line with a warning. Throws an `ArchiveError` if any other line is damaged.
 */
export function openJournal(path: string, options: JournalOptions = {}): JournalFile {
  const advice = 'Choose a file that can be read and written.'
  return openOrExplain(path, () => new JournalFile(path, options), advice)
}

/** A journal in a file, and its objects in a folder. */
export class JournalFile extends LineFile implements Archive {
  readonly files: ObjectFolder
  /** False until the journal was replayed completely. A damaged journal gets no closing line. */
  #isSound = true

  constructor(path: string, options: JournalOptions) {
    super(path, options)
    try {
      this.files = this.#openFolderBeside(options)
    } catch (error) {
      super.close()
      throw error
    }
  }

  read(take: (past: PastRecord) => void): void {
    this.#isSound = false
    const counts = new Map<string, number>()
    /** Counts one more of `total` things. Returns how many are left. */
    const leftOf = (total: number, what: string) => {
      const count = (counts.get(what) ?? 0) + 1
      counts.set(what, count)
      return total - count
    }
    for (const { bytes, tenant: tenantId, number: line } of this.lines()) {
      let record: TenantRecord
      try {
        record = recordIn(bytes, tenantId)
      } catch (error) {
        // The checksum is right, so the mock has written what it cannot read.
        take({ tenantId, line, record: { unreadable: `it cannot be read: ${reasonOf(error)}` }, later: 0 })
        continue
      }
      if ('clock' in record) take({ tenantId, line, record: record.clock, later: 0 })
      else if ('type' in record) {
        const later = leftOf(this.ledger.eventCount(tenantId), tenantId)
        const ended = record.type === 'ExecutionCompleted' ? record.workflowId : undefined
        const laterCompletions =
          ended === undefined ? 0 : leftOf(this.ledger.completionCount(tenantId, ended), `${tenantId} ${ended}`)
        take({ tenantId, line, record, later, laterCompletions })
      }
    }
    this.#isSound = true
  }

  /** Writes events and readings of the clock. Only this process reads the file, so other records are not needed. */
  append(tenant: string, records: readonly LogRecord[]): void {
    if (records.length === 0) return
    this.write(records.map((record) => tenantJson(tenant, record as TenantRecord)))
    if (records.some((record) => 'clock' in record)) this.compactLater()
  }

  forget(tenant: string): void {
    if (!this.ledger.has(tenant)) return
    // If no other tenant has live lines, the file is emptied instead of growing by a line.
    if (this.ledger.hasOnly(tenant)) this.clear()
    else this.write([tenantJson(tenant, { forget: true })])
    this.compactLater()
  }

  /** Writes the closing line and releases the lock. */
  override close(): void {
    if (this.isClosed) return
    try {
      if (this.#isSound && !this.ledger.isEnded) this.write([endJson])
    } catch (error) {
      // A missing closing line does no harm: the next start treats it like a crash.
      if (!(error instanceof ArchiveError)) throw error
    }
    this.files.close()
    super.close()
  }

  /** Opens the folder beside the journal, whose lock holds for both. */
  #openFolderBeside({ warn }: JournalOptions): ObjectFolder {
    const folder = `${this.path}.objects`
    requireFolder(folder)
    markOwner(folder, this.id)
    const claim = { isForgotten: false, mustBeHeld: () => this.mustBeOwn(), release() {} }
    return new ObjectFolder(folder, claim, { journal: this.path, warn })
  }
}
