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

/** Dead lines are left in the file until they take so many bytes. */
const worthCompacting = 64 * 1024

/** The file of a journal: verified when it is opened, appended to, and compacted when more than half of it is dead. */
export class LineFile {
  /** Where it is, without symbolic links. */
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
  /** The checksum that the next line continues. */
  #sum = 0
  /** Whether the last line is the closing line of a clean stop. */
  #isEnded = false
  #isClosed = false
  #compacting: { readonly done: Promise<void>; cancel: () => void } | undefined
  /** After a compaction that failed, none is begun until the next start. */
  #mayCompact = true

  constructor(path: string, options: JournalOptions) {
    this.#options = options
    this.#warn = options.warn ?? (() => {})
    this.#unlock = options.lock?.(path) ?? (() => {})
    let file: number | undefined
    try {
      file = openSync(path, 'a+')
      this.#file = file
      // A new file in the place of a symbolic link would not replace the journal.
      this.path = realpathSync(path)
      // Left behind by a compaction that was killed.
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

  /** Whether it has nothing to close: no lines but the header, or a closing line already. */
  get isEnded(): boolean {
    return this.#isEnded || this.#size === this.#header.bytes
  }

  /** Resolves when no compaction is under way. */
  async settled(): Promise<void> {
    await this.#compacting?.done
  }

  /** Which of its lines still count. */
  get ledger(): Pick<Ledger, 'has' | 'hasOnly' | 'eventsOf'> {
    return this.#ledger
  }

  /**
   * The executions that are completed in the lines that counted when it was opened; those of a journal of version 1 are not
   * counted. It is forgotten here, as it may be large.
   */
  takeCompletions(): Completions {
    const completions = this.#completions
    this.#completions = new Completions()
    return completions
  }

  /** The lines that still count. Nothing may be written until the last is read. */
  *lines(): Generator<LiveLine, void> {
    for (const { bytes, offset, number } of linesOf(this.#file)) {
      if (offset === 0) continue
      const { kind, tenant } = labelOf(bytes)
      if (this.#ledger.isLive(kind, tenant, offset)) yield { kind, tenant, bytes, offset, number }
    }
  }

  /** Writes lines in one piece, or none of them. */
  write(lines: readonly NewLine[]): void {
    // The system may have given its number to another file by then.
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
      // Half a line in the middle would make the rest of the file unreadable.
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

  /** Takes a damaged line and all that follow out of the file. Throws an `ArchiveError` if it may not be repaired. */
  repair(damage: Damage): void {
    if (!this.#options.repair) throw new DamagedJournalError(this.path, damage)
    this.#warn(moveAside(this.path, this.#file, damage))
    this.#read()
  }

  /** Compacts the file in slices, between which the mock answers, if more than half of it is dead. */
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
        // Now, since the next mock may be about to write a file of this name.
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

  /** Verifies what is in the file, and takes account of it. */
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
    this.#warn(`The last line of ${this.path} was not written to its end and is dropped: ${bytes} bytes.`)
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

  /** Whether more than half of the file are lines that no longer count. A hard link would keep the old file. */
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
    this.#warn(`Cannot compact ${this.path}: ${reasonOf(error)}. It goes on growing until the next start.`)
  }

  /** Replaces the file at once. Only for when nobody waits for an answer. */
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

  /** Puts a new file in the place of the journal. Both are locked while it is renamed, so nobody else can have either. */
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
