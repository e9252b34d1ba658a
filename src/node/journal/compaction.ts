import { closeSync, fstatSync, fsync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ArchiveError } from '../../world/archive.ts'
import { type Identity, identityOf, isAt } from '../lock-file.ts'
import { labelOf, reseal, verify } from './format.ts'
import { Ledger } from './ledger.ts'
import { linesOf, withBreaks } from './lines.ts'

/** The part of the old file that one step reads, in bytes. */
const stepBytes = 1024 * 1024

const syncLater = promisify(fsync)

/** A copy of a journal without its dead lines. It is written beside the journal, to which lines are still appended, and then replaces it. */
export class Compaction {
  readonly path: string
  readonly ledger = new Ledger()
  readonly #file: number
  readonly #identity: Identity
  readonly #source: number
  readonly #live: Ledger
  /** How far the old file was read, in bytes, and the checksum there. */
  #position = 0
  #sum = 0
  #isCancelled = false

  /** Creates a file with the permissions of the one it replaces. */
  constructor(path: string, source: number, live: Ledger) {
    this.path = path
    this.#file = openSync(path, 'ax+', fstatSync(source).mode & 0o777)
    this.#identity = identityOf(this.#file)
    this.#source = source
    this.#live = live
  }

  /** Copies in slices, so that the mock answers in between. Resolves with false if it was cancelled, with true once all lines are on disk. */
  async run(): Promise<boolean> {
    for (let isAtEnd = false; !isAtEnd; isAtEnd = this.#step()) {
      await nextTurn()
      if (this.#isCancelled) return false
    }
    // This writes most of the file to disk without blocking. Few lines are appended in the meantime.
    await syncLater(this.#file)
    if (this.#isCancelled) return false
    while (!this.#step());
    fsyncSync(this.#file)
    return true
  }

  /** True if the path leads to this file, and not to one of another mock. */
  get isThere(): boolean {
    return isAt(this.path, this.#identity)
  }

  /** Ends the copying, and removes the file at once unless it has been removed or replaced: the next mock may soon create one of this name. */
  cancel(): void {
    this.#isCancelled = true
    if (this.isThere) rmSync(this.path, { force: true })
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Copies the next lines. Returns true once it has reached the current end of the old file. */
  #step(): boolean {
    const until = this.#position + stepBytes
    const copied: Buffer[] = []
    for (const { bytes, offset } of linesOf(this.#source, this.#position)) {
      if (offset >= until) break
      if (this.#mustCopy(bytes, offset)) {
        const { line, sum } = reseal(bytes, this.ledger.sum)
        this.ledger.add(line, sum)
        copied.push(line)
      }
      this.#position = offset + bytes.length + 1
    }
    writeFileSync(this.#file, withBreaks(copied))
    return this.#position < until
  }

  #mustCopy(line: Buffer, offset: number): boolean {
    const sum = verify(line, this.#sum)
    // Copying a damaged line would give it a valid checksum.
    if (sum === undefined) throw new ArchiveError(`The journal was damaged at byte ${offset}. Put back a copy.`)
    this.#sum = sum
    const { kind, tenant } = labelOf(line)
    // Lines of this tenant may have been copied before it was reset.
    const isReset = kind === 'forget' && this.ledger.has(tenant)
    return offset === 0 || isReset || this.#live.isLive(kind, tenant, offset)
  }
}
