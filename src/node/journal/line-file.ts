import { randomBytes } from 'node:crypto'
import { fstatSync, ftruncateSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { UnavailableError } from '../../world/archive.ts'
import { drawSecret } from '../../world/secret.ts'
import { type Identity, identityOf, type OpenFile, openUnlocked } from '../lock-file.ts'
import { Compaction } from './compaction.ts'
import { moveAside, requireJournal, scan } from './damage.ts'
import { cannotWrite, DamagedJournalError, describeFailure } from './errors.ts'
import { type Header, headerJson, labelOf, seal } from './format.ts'
import { Ledger } from './ledger.ts'
import { type FileLine, linesOf, withBreaks } from './lines.ts'

/** Options of `openJournal`. */
export interface JournalOptions {
  /** Signs upload URLs. An existing journal keeps its own secret. @default drawn at random */
  readonly secret?: string
  /** Moves damaged lines to another file, instead of throwing an error. @default false */
  readonly repair?: boolean
  /** Called with warnings for the user. @default they are ignored */
  readonly warn?: (message: string) => void
  /** Opens a file and locks it. @default no lock */
  readonly lock?: (path: string) => OpenFile
}

/** Dead lines stay in the file until they exceed this size, in bytes. */
const worthCompacting = 64 * 1024

/**
 * The file of a journal. Verifies it on opening, appends lines, and compacts it when more than half of it is dead. Each change
 * throws an `UnavailableError` if that is not possible now, or if the path no longer leads to the file as this mock left it.
 */
export class LineFile implements Header {
  /** The path with symbolic links resolved. */
  readonly path: string
  readonly id: string
  readonly secret: string
  readonly #options: JournalOptions
  readonly #warn: (message: string) => void
  #open: OpenFile
  #identity: Identity
  #ledger = new Ledger()
  #isClosed = false
  #compaction: Compaction | undefined
  #compacting: Promise<void> | undefined
  /** False after a failed compaction; the next start tries again. */
  #mayCompact = true
  /** True if the last change has failed, so that only the first failure in a row is reported. On opening, all are thrown. */
  #isFailing = true

  constructor(path: string, options: JournalOptions) {
    this.#options = options
    this.#warn = options.warn ?? (() => {})
    this.#open = this.#lock(path)
    try {
      this.#identity = identityOf(this.#open.file)
      // Renaming a file over a symbolic link would replace the link, not the journal.
      this.path = realpathSync(path)
      // Left behind by a crash during a compaction.
      rmSync(this.#newPath, { force: true })
      requireJournal(this.path, this.#open.file)
      const { id, secret } = this.#read()
      this.id = id
      this.secret = secret
      this.#isFailing = false
    } catch (error) {
      this.#open.release()
      throw error
    }
    this.compactLater()
  }

  /** Resolves when no compaction is in progress. */
  async settled(): Promise<void> {
    await this.#compacting
  }

  /** The live lines. */
  protected get ledger(): Pick<Ledger, 'has' | 'hasOnly' | 'eventCount' | 'completionCount' | 'isEnded'> {
    return this.#ledger
  }

  protected get isClosed(): boolean {
    return this.#isClosed
  }

  /** Yields the live lines, and the tenant of each. Nothing may be written until the last one is read. */
  protected *lines(): Generator<Pick<FileLine, 'bytes' | 'number'> & { readonly tenant: string }, void> {
    for (const { bytes, offset, number } of linesOf(this.#open.file)) {
      const { kind, tenant } = labelOf(bytes)
      if (this.#ledger.isLive(kind, tenant, offset)) yield { bytes, number, tenant }
    }
  }

  /** Appends lines: all of them or, on an error, none. */
  protected write(texts: readonly string[]): void {
    let { sum } = this.#ledger
    const lines = texts.map((json) => {
      const sealed = seal(json, sum)
      sum = sealed.sum
      return sealed
    })
    const bytes = withBreaks(lines.map(({ line }) => line))
    this.#change((file) => {
      try {
        if (writeSync(file, bytes) < bytes.length) throw diskIsFull()
      } catch (error) {
        // An incomplete line in the middle would make the rest of the file unreadable.
        ftruncateSync(file, this.#ledger.size)
        throw error
      }
    })
    for (const { line, sum } of lines) this.#ledger.add(line, sum)
  }

  /** Removes all lines but the header. */
  protected clear(): void {
    this.#change((file) => ftruncateSync(file, this.#ledger.header?.bytes))
    this.#compaction?.cancel()
    this.#ledger.clear()
  }

  /** Starts a compaction if more than half of the file is dead. It runs in slices, so that the mock answers in between. */
  protected compactLater(): void {
    if (this.#isClosed || this.#compacting || !this.#mayCompact || !this.#isWorthCompacting()) return
    this.#compacting = this.#compact().finally(() => {
      this.#compaction = undefined
      this.#compacting = undefined
    })
  }

  /** Releases the lock. */
  close(): void {
    if (this.#isClosed) return
    this.#compaction?.cancel()
    this.#isClosed = true
    this.#open.release()
  }

  #lock(path: string): OpenFile {
    return (this.#options.lock ?? openUnlocked)(path)
  }

  /** Calls `change` with the file if the path still leads to it. Warns of the first failure in a row. */
  #change(change: (file: number) => void): void {
    // After closing, the system may have reused the descriptor for another file.
    if (this.#isClosed) throw new UnavailableError(`The journal ${this.path} has been closed. Start the mock again.`)
    try {
      this.mustBeOwn()
      change(this.#open.file)
      this.#isFailing = false
    } catch (error) {
      const refusal = error instanceof UnavailableError ? error : cannotWrite(this.path, error)
      if (!this.#isFailing) this.#warn(refusal.message)
      this.#isFailing = true
      throw refusal
    }
  }

  /** Throws an `UnavailableError` unless the path leads to the file that is open here, with the size it was left with. */
  mustBeOwn(): void {
    const { dev, ino } = this.#identity
    const there = statSync(this.path, { bigint: true, throwIfNoEntry: false })
    const isOwn = there?.ino === ino && there.dev === dev
    if (isOwn && there.size === BigInt(this.#ledger.size)) return
    const what = !there
      ? `The journal ${this.path} was moved or removed`
      : isOwn
        ? `Another program has changed the journal ${this.path}`
        : `Another file is in the place of the journal ${this.path}`
    throw new UnavailableError(`${what}. Put it back as it was, or restart the mock to continue with what is there.`)
  }

  get #newPath(): string {
    return `${this.path}.new`
  }

  /** Verifies the file and reads its state. Creates the header if there is none. */
  #read(): Header {
    const { file } = this.#open
    const { ledger, torn, lacksLineBreak, damage } = scan(file)
    if (damage) {
      if (!this.#options.repair) throw new DamagedJournalError(this.path, damage)
      this.#warn(moveAside(this.path, file, damage))
      return this.#read()
    }
    if (torn > 0) {
      this.#warn(`The last line of ${this.path} is incomplete. It is dropped: ${torn} bytes.`)
      ftruncateSync(file, ledger.size)
    }
    this.#ledger = ledger
    if (lacksLineBreak) {
      ftruncateSync(file, ledger.size - 1)
      writeSync(file, '\n')
    }
    if (ledger.header) return ledger.header
    const header = { id: randomBytes(16).toString('hex'), secret: this.#options.secret ?? drawSecret() }
    this.write([headerJson(header)])
    return header
  }

  /** Checks whether more than half of the file is dead. A file with another hard link is left alone: the link would keep it. */
  #isWorthCompacting(): boolean {
    const { deadBytes, size } = this.#ledger
    return deadBytes > worthCompacting && deadBytes > size / 2 && fstatSync(this.#open.file).nlink === 1
  }

  async #compact(): Promise<void> {
    try {
      this.mustBeOwn()
      const compaction = new Compaction(this.#newPath, this.#open.file, this.#ledger)
      this.#compaction = compaction
      if (await compaction.run()) this.#replaceBy(compaction)
    } catch (error) {
      this.#compaction?.cancel()
      this.#mayCompact = false
      this.#warn(describeFailure(`Cannot compact ${this.path}`, error, 'The file grows until the next start.'))
    } finally {
      this.#compaction?.close()
    }
  }

  /** Replaces the journal by a new file. Both are locked during the rename, so that no other mock can open either. */
  #replaceBy(compaction: Compaction): void {
    const open = this.#lock(compaction.path)
    try {
      this.mustBeOwn()
      if (!compaction.isThere) throw new Error(`another file is in the place of ${compaction.path}`)
      renameSync(compaction.path, this.path)
    } catch (error) {
      open.release()
      throw error
    }
    this.#open.release()
    this.#open = open
    this.#identity = identityOf(open.file)
    this.#ledger = compaction.ledger
  }
}

function diskIsFull(): Error {
  return Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
}
