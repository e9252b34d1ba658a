import { closeSync, fstatSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { type Identity, identityOf, isAt } from '../lock-file.ts'
import { cannotWrite } from './errors.ts'
import { type Header, headerJson, type LineKind, labelOf, reseal, seal } from './format.ts'
import { Ledger } from './ledger.ts'

const flushBytes = 1024 * 1024

/** A journal that is written beside another one and then replaces it. */
export class NewFile {
  readonly path: string
  readonly file: number
  readonly ledger = new Ledger()
  readonly header: Header & { readonly bytes: number; readonly sum: number }
  readonly #identity: Identity
  #size = 0
  #sum = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0

  /** Creates a file with the permissions of the one it replaces. */
  constructor(path: string, header: Header, replaced: number) {
    this.path = path
    this.file = openSync(path, 'ax+', fstatSync(replaced).mode & 0o777)
    this.#identity = identityOf(this.file)
    const { text, sum } = seal(headerJson(header), 0)
    this.#take('end', '', Buffer.from(text), sum)
    this.header = { ...header, bytes: this.#size, sum }
  }

  get size(): number {
    return this.#size
  }

  get sum(): number {
    return this.#sum
  }

  /** Writes a line of another journal, with a new checksum. */
  copy(line: Buffer): void {
    const { kind, tenant } = labelOf(line)
    const { bytes, sum } = reseal(line, this.#sum)
    this.#take(kind, tenant, bytes, sum)
  }

  /** Writes the buffered lines. */
  flush(): void {
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done)
    } catch (error) {
      throw cannotWrite(this.path, error)
    }
  }

  /** Writes the buffered lines, and blocks until all lines are on disk. */
  sync(): void {
    this.flush()
    fsyncSync(this.file)
  }

  /** True if the path leads to this file, and not to one of another mock. */
  get isThere(): boolean {
    return isAt(this.path, this.#identity)
  }

  close(): void {
    closeSync(this.file)
  }

  /** Removes the file, unless it has been removed or replaced. */
  remove(): void {
    if (this.isThere) rmSync(this.path, { force: true })
  }

  #take(kind: LineKind, tenant: string, bytes: Buffer, sum: number): void {
    this.ledger.add(kind, tenant, this.#size, bytes.length)
    this.#size += bytes.length
    this.#sum = sum
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= flushBytes) this.flush()
  }
}
