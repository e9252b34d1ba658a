import { closeSync, fstatSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { cannotWrite } from './errors.ts'
import { headerJson, type LineKind, labelOf, reseal, seal } from './format.ts'
import { Ledger } from './ledger.ts'

const flushBytes = 1024 * 1024

/** A journal that is written beside another one and then replaces it. */
export class NewFile {
  readonly path: string
  readonly file: number
  readonly secret: string
  readonly ledger = new Ledger()
  readonly header: { readonly bytes: number; readonly sum: number }
  #size = 0
  #sum = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0

  /** Creates a file with the permissions of the one it replaces. */
  constructor(path: string, secret: string, replaced: number) {
    this.path = path
    this.secret = secret
    this.file = openSync(path, 'ax+', fstatSync(replaced).mode & 0o777)
    this.#write('end', '', headerJson(secret))
    this.header = { bytes: this.#size, sum: this.#sum }
  }

  get size(): number {
    return this.#size
  }

  get sum(): number {
    return this.#sum
  }

  /** Adds a checksum to a line and writes it. */
  add(kind: LineKind, tenant: string, json: string): void {
    this.#write(kind, tenant, json)
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

  close(): void {
    closeSync(this.file)
  }

  /** Closes and removes the file. */
  drop(): void {
    this.close()
    rmSync(this.path, { force: true })
  }

  #write(kind: LineKind, tenant: string, json: string): void {
    const { text, sum } = seal(json, this.#sum)
    this.#take(kind, tenant, Buffer.from(text), sum)
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
