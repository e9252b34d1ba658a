import { randomBytes } from 'node:crypto'
import { fstatSync, ftruncateSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { UnavailableError } from '../../world/archive.ts'
import { drawSecret } from '../../world/secret.ts'
import { type Identity, identityOf, type OpenFile, openUnlocked } from '../lock-file.ts'
import { Compaction, copyInSlices } from './compaction.ts'
import { Completions } from './completions.ts'
import { cannotWrite, type Damage, DamagedJournalError, reasonOf } from './errors.ts'
import { headerJson, type LiveLine, labelOf, type NewLine, seal } from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf } from './lines.ts'
import { NewFile } from './new-file.ts'
import type { JournalOptions } from './options.ts'
import { moveAside } from './repair.ts'
import { requireJournal, scan } from './scan.ts'

/** Dead lines stay in the file until they exceed this size, in bytes. */
const worthCompacting = 64 * 1024

/** A compaction in progress. */
interface Run {
  isCancelled: boolean
  target?: NewFile
}

/**
 * The file of a journal. Verifies it on opening, appends lines, and compacts it when more than half of it is dead. Each change
 * throws an `UnavailableError` if that is not possible now, or if the path no longer leads to the file as this mock left it.
 */
export class LineFile {
  /** The path with symbolic links resolved. */
  readonly path: string
  readonly #options: JournalOptions
  readonly #warn: (message: string) => void
  #open: OpenFile
  #identity: Identity
  #header: NewFile['header'] = { id: '', secret: '', bytes: 0, sum: 0 }
  #ledger = new Ledger()
  #completions = new Completions()
  #size = 0
  /** Checksum of the last line, from which the next one continues. */
  #sum = 0
  /** True if the last line is the closing line of a clean stop. */
  #isEnded = false
  #isClosed = false
  #compacting: { readonly done: Promise<void>; readonly run: Run } | undefined
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
      this.#read()
      this.#compactNow()
      this.#isFailing = false
    } catch (error) {
      this.#open.release()
      throw error
    }
  }

  /** Tells the journal from all others. Its copies have the same. */
  get id(): string {
    return this.#header.id
  }

  get secret(): string {
    return this.#header.secret
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** True if no closing line is needed: the file has one already, or only a header. */
  get isEnded(): boolean {
    return this.#isEnded || this.#size === this.#header.bytes
  }

  /** Resolves when no compaction is in progress. */
  async settled(): Promise<void> {
    await this.#compacting?.done
  }

  /** The live lines. */
  get ledger(): Pick<Ledger, 'has' | 'hasOnly' | 'eventCount'> {
    return this.#ledger
  }

  /** Returns the completed executions in the lines that were live on opening, and releases them here, since they may be many. */
  takeCompletions(): Completions {
    const completions = this.#completions
    this.#completions = new Completions()
    return completions
  }

  /** Yields the live lines. Nothing may be written until the last one is read. */
  *lines(): Generator<LiveLine, void> {
    for (const { bytes, offset, number } of linesOf(this.#open.file)) {
      if (offset === 0) continue
      const { kind, tenant } = labelOf(bytes)
      if (this.#ledger.isLive(kind, tenant, offset)) yield { kind, tenant, bytes, offset, number }
    }
  }

  /** Appends lines: all of them or, on an error, none. */
  write(lines: readonly NewLine[]): void {
    let sum = this.#sum
    const sealed = lines.map(({ kind, tenant, json }) => {
      const { text, sum: next } = seal(json, sum)
      sum = next
      return { kind, tenant, text }
    })
    const bytes = Buffer.from(sealed.map(({ text }) => text).join(''))
    this.#change((file) => {
      try {
        if (writeSync(file, bytes) < bytes.length) throw diskIsFull()
      } catch (error) {
        // An incomplete line in the middle would make the rest of the file unreadable.
        ftruncateSync(file, this.#size)
        throw error
      }
    })
    for (const { kind, tenant, text } of sealed) {
      const length = Buffer.byteLength(text)
      this.#ledger.add(kind, tenant, this.#size, length)
      if (kind === 'forget') this.#completions.forget(tenant)
      this.#size += length
    }
    this.#sum = sum
    this.#isEnded = lines.at(-1)?.kind === 'end'
  }

  /** Removes all lines but the header. */
  clear(): void {
    this.#change((file) => ftruncateSync(file, this.#header.bytes))
    this.#cancelCompaction()
    this.#ledger = new Ledger()
    this.#completions = new Completions()
    this.#size = this.#header.bytes
    this.#sum = this.#header.sum
    this.#isEnded = false
  }

  /** Moves a damaged line, and all lines after it, out of the file. Throws an `ArchiveError` if repairs are not allowed. */
  repair(damage: Damage): void {
    if (!this.#options.repair) throw new DamagedJournalError(this.path, damage)
    this.#warn(moveAside(this.path, this.#open.file, damage))
    this.#read()
  }

  /** Starts a compaction if more than half of the file is dead. It runs in slices, so that the mock answers in between. */
  compactLater(): void {
    if (this.#isClosed || this.#compacting || !this.#mayCompact || !this.#isWorthCompacting()) return
    const run: Run = { isCancelled: false }
    const done = this.#compactInSlices(run).finally(() => {
      this.#compacting = undefined
    })
    this.#compacting = { done, run }
  }

  close(): void {
    if (this.#isClosed) return
    this.#cancelCompaction()
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
    if (isOwn && there.size === BigInt(this.#size)) return
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
  #read(): void {
    const found = scan(this.#open.file)
    if (found.damage) {
      this.repair(found.damage)
      return
    }
    if (found.torn > 0) {
      this.#warn(`The last line of ${this.path} is incomplete. It is dropped: ${found.torn} bytes.`)
      ftruncateSync(this.#open.file, found.size)
    }
    if (!found.header) {
      this.#begin()
      return
    }
    this.#header = found.header
    this.#ledger = found.ledger
    this.#completions = found.completions
    this.#size = found.size
    this.#sum = found.sum
    this.#isEnded = found.isEnded
    if (found.lacksLineBreak) {
      ftruncateSync(this.#open.file, found.size - 1)
      writeSync(this.#open.file, '\n')
    }
  }

  #begin(): void {
    const header = { id: randomBytes(16).toString('hex'), secret: this.#options.secret ?? drawSecret() }
    this.#size = 0
    this.#sum = 0
    this.write([{ kind: 'end', tenant: '', json: headerJson(header) }])
    this.#header = { ...header, bytes: this.#size, sum: this.#sum }
  }

  /** Checks whether more than half of the file is dead. A file with another hard link is left alone: the link would keep it. */
  #isWorthCompacting(): boolean {
    const dead = this.#size - this.#header.bytes - this.#ledger.liveBytes
    return dead > worthCompacting && dead > this.#size / 2 && fstatSync(this.#open.file).nlink === 1
  }

  /** Compacts without interruption. Use it only on opening, when no requests are waiting. */
  #compactNow(): void {
    if (!this.#isWorthCompacting()) return
    let target: NewFile | undefined
    try {
      target = this.#createTarget()
      const compaction = new Compaction(this.#open.file, this.#ledger, target)
      while (!compaction.step());
      this.#replaceBy(target)
    } catch (error) {
      this.#giveUpCompacting(error, target)
    }
  }

  async #compactInSlices(run: Run): Promise<void> {
    try {
      run.target = this.#createTarget()
      const compaction = new Compaction(this.#open.file, this.#ledger, run.target)
      if (await copyInSlices(compaction, run.target, run)) this.#replaceBy(run.target)
      else run.target.close()
    } catch (error) {
      this.#giveUpCompacting(error, run.target)
    }
  }

  #createTarget(): NewFile {
    this.mustBeOwn()
    return new NewFile(this.#newPath, this.#header, this.#open.file)
  }

  #giveUpCompacting(error: unknown, target: NewFile | undefined): void {
    target?.remove()
    target?.close()
    this.#mayCompact = false
    this.#warn(
      `Cannot compact ${this.path}: ${reasonOf(error).replace(/\.$/, '')}. The file grows until the next start.`,
    )
  }

  #cancelCompaction(): void {
    if (!this.#compacting) return
    this.#compacting.run.isCancelled = true
    // Immediately, since the next mock may soon create a file of this name.
    this.#compacting.run.target?.remove()
  }

  /** Replaces the journal by a new file. Both are locked during the rename, so that no other mock can open either. */
  #replaceBy(target: NewFile): void {
    target.sync()
    const open = this.#lock(target.path)
    try {
      this.mustBeOwn()
      if (!target.isThere) throw new Error(`another file is in the place of ${target.path}`)
      renameSync(target.path, this.path)
    } catch (error) {
      open.release()
      throw error
    }
    target.close()
    this.#open.release()
    this.#open = open
    this.#identity = identityOf(open.file)
    this.#header = target.header
    this.#ledger = target.ledger
    this.#size = target.size
    this.#sum = target.sum
    this.#isEnded = false
  }
}

function diskIsFull(): Error {
  return Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
}
