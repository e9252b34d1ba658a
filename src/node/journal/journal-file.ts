import {
  closeSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Archive, ArchiveError, type ClockReading, type PastRecord, type Spool } from '../../world/archive.ts'
import type { RecordedEvent } from '../../world/events.ts'
import { drawSecret } from '../../world/secret.ts'
import { opening } from '../opening.ts'
import { Compaction } from './compaction.ts'
import { cannotWrite, type Damage, damaged, reasonOf } from './errors.ts'
import { endJson, headerJson, type LineKind, labelOf, recordIn, seal, tenantJson } from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf } from './lines.ts'
import { NewFile } from './new-file.ts'
import { ObjectFiles } from './object-files.ts'
import { moveAside } from './repair.ts'
import { scan, versionOf } from './scan.ts'
import { convert } from './version-1.ts'

export interface JournalOptions {
  /** Signs upload URLs; a journal that has a secret keeps it. @default drawn at random */
  readonly secret?: string
  /** Moves damaged lines into a file of their own, instead of refusing the journal. @default false */
  readonly repair?: boolean
  /** Told of what a user has to know. @default nobody */
  readonly warn?: (message: string) => void
  /** Keeps others from a file until the function that it returns is called. @default keeps nobody */
  readonly lock?: (path: string) => () => void
}

/** Dead lines are left in the file until they take so many bytes. */
const worthCompacting = 64 * 1024

const syncLater = promisify(fsync)

/**
 * Opens the journal in a file, and the objects in a folder beside it. A new journal is begun if there is none. A last line
 * that was not written to its end is dropped with a warning. Throws an `ArchiveError` if any other line is not as it was
 * written.
 */
export function openJournal(path: string, options: JournalOptions = {}): JournalFile {
  const unlock = options.lock?.(path) ?? (() => {})
  try {
    return opening(path, () => new JournalFile(path, unlock, options), 'Choose a file that can be read and written.')
  } catch (error) {
    unlock()
    throw error
  }
}

/** A journal in a file. */
export class JournalFile implements Archive {
  /** Where it is, without symbolic links. */
  readonly #path: string
  readonly #options: JournalOptions
  readonly #warn: (message: string) => void
  readonly #objects: ObjectFiles
  #unlock: () => void
  #file: number
  #secret = ''
  #header = { bytes: 0, sum: 0 }
  #ledger = new Ledger()
  #size = 0
  /** The checksum that the next line continues. */
  #sum = 0
  /** Whether the last line is the closing line of a clean stop. */
  #isEnded = false
  #isClosed = false
  #compacting: { readonly done: Promise<void>; cancel: () => void } | undefined
  /** After a compaction that failed, none is begun until the next start. */
  #mayCompact = true

  constructor(path: string, unlock: () => void, options: JournalOptions) {
    this.#path = locate(path)
    this.#options = options
    this.#warn = options.warn ?? (() => {})
    this.#unlock = unlock
    // Left behind by a compaction that was killed.
    rmSync(this.#newPath, { force: true })
    this.#file = openSync(this.#path, 'a+')
    try {
      if (versionOf(this.#path, this.#file) === 1) this.#convert()
      else this.#read()
      if (this.#isWorthCompacting()) this.#compact()
      this.#objects = new ObjectFiles(`${this.#path}.objects`, this.#warn)
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  get secret(): string {
    return this.#secret
  }

  /** Resolves when no compaction is under way. */
  async settled(): Promise<void> {
    await this.#compacting?.done
  }

  replay(begin: () => (past: PastRecord) => void): void {
    for (let damage = this.#replay(begin()); damage; damage = this.#replay(begin())) {
      if (!this.#options.repair) {
        // A journal that is refused stays as it is.
        this.#isEnded = true
        throw damaged(this.#path, damage)
      }
      this.#moveAside(damage)
      this.#read()
    }
    this.#objects.removeUnused()
  }

  bytes(sha256: string): Uint8Array | undefined {
    return this.#objects.bytes(sha256)
  }

  append(tenant: string, events: readonly RecordedEvent[]): void {
    if (events.length === 0) return
    this.#write(events.map((event) => ({ kind: 'event', tenant, json: tenantJson(tenant, event) })))
    for (const event of events) {
      if (event.type === 'ObjectStored') this.#objects.refer(tenant, event.sessionId, event.sha256)
    }
  }

  keepClock(tenant: string, clock: ClockReading): void {
    this.#write([{ kind: 'clock', tenant, json: tenantJson(tenant, { clock }) }])
    this.#compactLater()
  }

  spool(): Spool {
    return this.#objects.spool()
  }

  forget(tenant: string): void {
    if (!this.#ledger.has(tenant)) return
    if (this.#isClosed) throw cannotWrite(this.#path, new Error('it has been closed'))
    // If no other line counts, the file can begin anew instead of growing by one.
    if (this.#ledger.hasOnly(tenant)) this.#cutToHeader()
    else this.#write([{ kind: 'forget', tenant, json: tenantJson(tenant, { forget: true }) }])
    this.#objects.forget(tenant)
    this.#compactLater()
  }

  /** Ends it with a closing line, and lets others have it. */
  close(): void {
    if (this.#isClosed) return
    this.#compacting?.cancel()
    try {
      if (!this.#isEnded && this.#size > this.#header.bytes) this.#write([{ kind: 'end', tenant: '', json: endJson }])
    } catch (error) {
      // Without the closing line, it is as if the mock had been killed.
      if (!(error instanceof ArchiveError)) throw error
    }
    this.#isClosed = true
    this.#objects.close()
    closeSync(this.#file)
    this.#unlock()
  }

  get #newPath(): string {
    return `${this.#path}.new`
  }

  #write(lines: readonly { readonly kind: LineKind; readonly tenant: string; readonly json: string }[]): void {
    // The system may have given its number to another file by then.
    if (this.#isClosed) throw cannotWrite(this.#path, new Error('it has been closed'))
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
      throw cannotWrite(this.#path, error)
    }
    for (const { kind, tenant, text } of sealed) {
      const length = Buffer.byteLength(text)
      this.#ledger.add(kind, tenant, this.#size, length)
      this.#size += length
    }
    this.#sum = sum
    this.#isEnded = lines.at(-1)?.kind === 'end'
  }

  /** Verifies what is in the file, and takes account of it. */
  #read(): void {
    const found = scan(this.#file)
    if (found.damage) {
      if (!this.#options.repair) throw damaged(this.#path, found.damage)
      this.#moveAside(found.damage)
      this.#read()
      return
    }
    if (found.torn > 0) this.#dropTorn(found.size, found.torn)
    if (found.secret === undefined) {
      this.#begin()
      return
    }
    this.#secret = found.secret
    this.#header = found.header
    this.#ledger = found.ledger
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
    this.#write([{ kind: 'end', tenant: '', json: headerJson(this.#secret) }])
    this.#header = { bytes: this.#size, sum: this.#sum }
  }

  #dropTorn(size: number, torn: number): void {
    this.#warn(`The last line of ${this.#path} was not written to its end and is dropped: ${torn} bytes.`)
    ftruncateSync(this.#file, size)
  }

  #moveAside(damage: Damage): void {
    this.#warn(moveAside(this.#path, this.#file, damage))
  }

  #replay(take: (past: PastRecord) => void): Damage | undefined {
    this.#objects.clear()
    for (const { bytes, offset, number } of linesOf(this.#file)) {
      if (offset === 0) continue
      const { kind, tenant } = labelOf(bytes)
      if (!this.#ledger.isLive(kind, tenant, offset)) continue
      const record = recordIn(bytes, tenant)
      if ('forget' in record) continue
      try {
        take({ tenantId: tenant, record: 'clock' in record ? record.clock : record })
      } catch (error) {
        // Its checksum is right, so it was already wrong in a journal of version 1, which had none.
        return { line: number, offset, reason: `does not follow from the lines before it (${reasonOf(error)})` }
      }
      if ('type' in record && record.type === 'ObjectStored') {
        this.#objects.refer(tenant, record.sessionId, record.sha256)
      }
    }
    return undefined
  }

  #convert(): void {
    mustHaveOneName(this.#path, this.#file)
    const target = new NewFile(this.#newPath, this.#options.secret ?? drawSecret(), this.#file)
    try {
      const { torn, damage } = convert(this.#file, target)
      if (torn > 0)
        this.#warn(`The last line of ${this.#path} was not written to its end and is dropped: ${torn} bytes.`)
      if (damage) {
        if (!this.#options.repair) throw damaged(this.#path, damage)
        this.#moveAside(damage)
      }
      target.sync()
      this.#replaceBy(target)
    } catch (error) {
      target.drop()
      throw error
    }
    this.#warn(`${this.#path} was a journal of version 1. It has been rewritten as version 2.`)
  }

  #cutToHeader(): void {
    this.#compacting?.cancel()
    ftruncateSync(this.#file, this.#header.bytes)
    this.#ledger = new Ledger()
    this.#size = this.#header.bytes
    this.#sum = this.#header.sum
    this.#isEnded = false
  }

  /** Whether more than half of the file are lines that no longer count. A hard link would keep the old file. */
  #isWorthCompacting(): boolean {
    const dead = this.#size - this.#header.bytes - this.#ledger.liveBytes
    return dead > worthCompacting && dead > this.#size / 2 && fstatSync(this.#file).nlink === 1
  }

  /** Compacts the file at once. Only for when nobody waits for an answer. */
  #compact(): void {
    const target = new NewFile(this.#newPath, this.#secret, this.#file)
    try {
      const compaction = new Compaction(this.#file, this.#ledger, target)
      while (!compaction.step());
      target.sync()
      this.#replaceBy(target)
    } catch (error) {
      target.drop()
      throw error
    }
  }

  /** Compacts the file in slices, between which the mock answers, if more than half of it is dead. */
  #compactLater(): void {
    if (this.#compacting || !this.#mayCompact || !this.#isWorthCompacting()) return
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

  async #compactInSlices(run: { readonly isCancelled: boolean }): Promise<void> {
    let target: NewFile | undefined
    try {
      target = new NewFile(this.#newPath, this.#secret, this.#file)
      const compaction = new Compaction(this.#file, this.#ledger, target)
      const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
      for (let isAtEnd = false; !isAtEnd; isAtEnd = compaction.step()) {
        await nextTurn()
        if (run.isCancelled) return target.close()
      }
      // Most of it reaches the disk here, without blocking.
      await syncLater(target.file)
      if (run.isCancelled) return target.close()
      while (!compaction.step());
      target.sync()
      this.#replaceBy(target)
    } catch (error) {
      target?.drop()
      this.#mayCompact = false
      this.#warn(`Cannot compact ${this.#path}: ${reasonOf(error)}. It goes on growing until the next start.`)
    }
  }

  /** Puts a new file in the place of the journal. Both are locked while it is renamed, so nobody can have either. */
  #replaceBy(target: NewFile): void {
    const unlock = this.#options.lock?.(target.path) ?? (() => {})
    try {
      renameSync(target.path, this.#path)
    } catch (error) {
      unlock()
      throw error
    }
    closeSync(this.#file)
    this.#unlock()
    this.#unlock = unlock
    this.#file = target.file
    this.#secret = target.secret
    this.#header = target.header
    this.#ledger = target.ledger
    this.#size = target.size
    this.#sum = target.sum
    this.#isEnded = false
  }
}

/** The file itself: a new one beside a symbolic link would not replace it. */
function locate(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return join(realpathSync(dirname(path)), basename(path))
  }
}

function mustHaveOneName(path: string, file: number): void {
  if (fstatSync(file).nlink === 1) return
  throw new ArchiveError(
    `${path} is a journal of version 1 with another hard link, so it cannot be replaced by one of version 2. Remove the other link.`,
  )
}
