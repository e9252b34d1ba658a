import { closeSync, fstatSync, ftruncateSync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs'
import { ArchiveError } from '../../world/archive.ts'
import { drawSecret } from '../../world/secret.ts'
import { Compaction, copyInSlices } from './compaction.ts'
import { Completions } from './completions.ts'
import { cannotWrite, type Damage, DamagedJournalError, reasonOf } from './errors.ts'
import { headerJson, type LiveLine, labelOf, type NewLine, seal } from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf } from './lines.ts'
import { NewFile } from './new-file.ts'
import type { JournalOptions } from './options.ts'
import { moveAside } from './repair.ts'
import { scan, versionOf } from './scan.ts'
import { convert } from './version-1.ts'

/** Dead lines stay in the file until they exceed this size, in bytes. */
const worthCompacting = 64 * 1024

/** The file of a journal. Verifies it on opening, appends lines, and compacts it when more than half of it is dead. */
export class LineFile {
  /** The path with symbolic links resolved. */
  readonly path: string
  readonly #options: JournalOptions
  readonly #warn: (message: string) => void
  #unlock: () => void
  #file: number
  #secret = ''
  #header = { bytes: 0, sum: 0 }
  #ledger = new Ledger()
  #completions = new Completions()
  #size = 0
  /** Checksum of the last line, from which the next one continues. */
  #sum = 0
  /** True if the last line is the closing line of a clean stop. */
  #isEnded = false
  #isClosed = false
  #compacting: { readonly done: Promise<void>; cancel: () => void } | undefined
  /** False after a failed compaction; the next start tries again. */
  #mayCompact = true

  constructor(path: string, options: JournalOptions) {
    this.#options = options
    this.#warn = options.warn ?? (() => {})
    this.#unlock = options.lock?.(path) ?? (() => {})
    let file: number | undefined
    try {
      file = openSync(path, 'a+')
      this.#file = file
      // Renaming a file over a symbolic link would replace the link, not the journal.
      this.path = realpathSync(path)
      // Left behind by a crash during a compaction.
      rmSync(this.#newPath, { force: true })
      if (versionOf(this.path, this.#file) === 1) this.#convert()
      else this.#read()
      this.#compactNow()
    } catch (error) {
      if (file !== undefined) closeSync(file)
      this.#unlock()
      throw error
    }
  }

  get secret(): string {
    return this.#secret
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

  /**
   * Returns the completed executions in the lines that were live on opening, and releases them here, since they may be many.
   * Those of a journal of version 1 are not counted.
   */
  takeCompletions(): Completions {
    const completions = this.#completions
    this.#completions = new Completions()
    return completions
  }

  /** Yields the live lines. Nothing may be written until the last one is read. */
  *lines(): Generator<LiveLine, void> {
    for (const { bytes, offset, number } of linesOf(this.#file)) {
      if (offset === 0) continue
      const { kind, tenant } = labelOf(bytes)
      if (this.#ledger.isLive(kind, tenant, offset)) yield { kind, tenant, bytes, offset, number }
    }
  }

  /** Appends lines: all of them or, on an error, none. */
  write(lines: readonly NewLine[]): void {
    // After closing, the system may have reused the descriptor for another file.
    if (this.#isClosed) throw cannotWrite(this.path, new Error('it has been closed'))
    let sum = this.#sum
    const sealed = lines.map(({ kind, tenant, json }) => {
      const { text, sum: next } = seal(json, sum)
      sum = next
      return { kind, tenant, text }
    })
    const bytes = Buffer.from(sealed.map(({ text }) => text).join(''))
    try {
      if (writeSync(this.#file, bytes) < bytes.length) throw new Error('the disk is full')
    } catch (error) {
      // An incomplete line in the middle would make the rest of the file unreadable.
      ftruncateSync(this.#file, this.#size)
      throw cannotWrite(this.path, error)
    }
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
    if (this.#isClosed) throw cannotWrite(this.path, new Error('it has been closed'))
    this.#compacting?.cancel()
    ftruncateSync(this.#file, this.#header.bytes)
    this.#ledger = new Ledger()
    this.#completions = new Completions()
    this.#size = this.#header.bytes
    this.#sum = this.#header.sum
    this.#isEnded = false
  }

  /** Moves a damaged line, and all lines after it, out of the file. Throws an `ArchiveError` if repairs are not allowed. */
  repair(damage: Damage): void {
    if (!this.#options.repair) throw new DamagedJournalError(this.path, damage)
    this.#warn(moveAside(this.path, this.#file, damage))
    this.#read()
  }

  /** Starts a compaction if more than half of the file is dead. It runs in slices, so that the mock answers in between. */
  compactLater(): void {
    if (this.#isClosed || this.#compacting || !this.#mayCompact || !this.#isWorthCompacting()) return
    const run = { isCancelled: false }
    const done = this.#compactInSlices(run).finally(() => {
      this.#compacting = undefined
    })
    this.#compacting = {
      done,
      cancel: () => {
        run.isCancelled = true
        // Immediately, since the next mock may soon create a file of this name.
        rmSync(this.#newPath, { force: true })
      },
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#compacting?.cancel()
    this.#isClosed = true
    closeSync(this.#file)
    this.#unlock()
  }

  get #newPath(): string {
    return `${this.path}.new`
  }

  /** Verifies the file and reads its state. Creates the header if there is none. */
  #read(): void {
    const found = scan(this.#file)
    if (found.damage) {
      this.repair(found.damage)
      return
    }
    if (found.torn > 0) {
      this.#warnOfTorn(found.torn)
      ftruncateSync(this.#file, found.size)
    }
    if (found.secret === undefined) {
      this.#begin()
      return
    }
    this.#secret = found.secret
    this.#header = found.header
    this.#ledger = found.ledger
    this.#completions = found.completions
    this.#size = found.size
    this.#sum = found.sum
    this.#isEnded = found.isEnded
    if (found.lacksLineBreak) {
      ftruncateSync(this.#file, found.size - 1)
      writeSync(this.#file, '\n')
    }
  }

  #begin(): void {
    this.#secret = this.#options.secret ?? drawSecret()
    this.#size = 0
    this.#sum = 0
    this.write([{ kind: 'end', tenant: '', json: headerJson(this.#secret) }])
    this.#header = { bytes: this.#size, sum: this.#sum }
  }

  #warnOfTorn(bytes: number): void {
    this.#warn(`The last line of ${this.path} is incomplete. It is dropped: ${bytes} bytes.`)
  }

  #convert(): void {
    if (fstatSync(this.#file).nlink > 1) {
      throw new ArchiveError(
        `${this.path} is a journal of version 1 with another hard link, so it cannot be replaced by one of version 2. Remove the other link.`,
      )
    }
    this.#secret = this.#options.secret ?? drawSecret()
    this.#replaceByCopy((target) => {
      const { torn, damage } = convert(this.#file, target)
      if (torn > 0) this.#warnOfTorn(torn)
      if (damage && !this.#options.repair) throw new DamagedJournalError(this.path, damage)
      if (damage) this.#warn(moveAside(this.path, this.#file, damage))
    })
    this.#warn(`${this.path} was a journal of version 1. It has been rewritten as version 2.`)
  }

  /** Checks whether more than half of the file is dead. A file with another hard link is left alone: the link would keep it. */
  #isWorthCompacting(): boolean {
    const dead = this.#size - this.#header.bytes - this.#ledger.liveBytes
    return dead > worthCompacting && dead > this.#size / 2 && fstatSync(this.#file).nlink === 1
  }

  #compactNow(): void {
    if (!this.#isWorthCompacting()) return
    try {
      this.#replaceByCopy((target) => {
        const compaction = new Compaction(this.#file, this.#ledger, target)
        while (!compaction.step());
      })
    } catch (error) {
      this.#giveUpCompacting(error)
    }
  }

  #giveUpCompacting(error: unknown): void {
    this.#mayCompact = false
    this.#warn(`Cannot compact ${this.path}: ${reasonOf(error)}. The file grows until the next start.`)
  }

  /** Replaces the file without interruption. Use it only on opening, when no requests are waiting. */
  #replaceByCopy(copy: (target: NewFile) => void): void {
    const target = new NewFile(this.#newPath, this.#secret, this.#file)
    try {
      copy(target)
      target.sync()
      this.#replaceBy(target)
    } catch (error) {
      target.drop()
      throw error
    }
  }

  async #compactInSlices(run: { readonly isCancelled: boolean }): Promise<void> {
    let target: NewFile | undefined
    try {
      target = new NewFile(this.#newPath, this.#secret, this.#file)
      const compaction = new Compaction(this.#file, this.#ledger, target)
      if (!(await copyInSlices(compaction, target, run))) return target.close()
      target.sync()
      this.#replaceBy(target)
    } catch (error) {
      target?.drop()
      this.#giveUpCompacting(error)
    }
  }

  /** Replaces the journal by a new file. Both are locked during the rename, so that no other mock can open either. */
  #replaceBy(target: NewFile): void {
    const unlock = this.#options.lock?.(target.path) ?? (() => {})
    try {
      renameSync(target.path, this.path)
    } catch (error) {
      unlock()
      throw error
    }
    closeSync(this.#file)
    this.#unlock()
    this.#unlock = unlock
    this.#file = target.file
    this.#header = target.header
    this.#ledger = target.ledger
    this.#size = target.size
    this.#sum = target.sum
    this.#isEnded = false
  }
}
