import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Spool } from './archive.ts'

/** Computes a SHA-256 incrementally. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** Returns the digest of all bytes, in hexadecimal. */
  digest(): string
}

export type CreateHasher = () => Hasher

/** Creates hashers that work on every platform. Node's own implementation is many times faster. */
export const portableHasher: CreateHasher = () => {
  const hash = sha256.create()
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    digest: () => bytesToHex(hash.digest()),
  }
}

/** The default limit of objects in memory, in bytes. */
export const defaultStoredBytes = 64 * 1024 * 1024

/** The number of bytes of objects that all worlds together can still keep in memory. */
export class ByteBudget {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  /** Reserves bytes. Returns false if not enough are left. */
  take(size: number): boolean {
    if (size > this.#left) return false
    this.#left -= size
    return true
  }

  free(size: number): void {
    this.#left += size
  }
}

/** Receives an object: computes its digest, passes it to the archive, and keeps its bytes if they fit into the budget. */
export class Intake {
  readonly #hasher: Hasher
  readonly #budget: ByteBudget
  readonly #spool: Spool
  #bytes: Uint8Array | undefined
  #size = 0
  #digest: string | undefined

  constructor(size: number, hasher: Hasher, budget: ByteBudget, spool: Spool) {
    this.#hasher = hasher
    this.#budget = budget
    this.#spool = spool
    this.#bytes = budget.take(size) ? new Uint8Array(size) : undefined
  }

  add(chunk: Uint8Array): void {
    this.#hasher.update(chunk)
    this.#spool.add(chunk)
    if (this.#bytes && this.#size + chunk.byteLength > this.#bytes.byteLength) this.#forget()
    this.#bytes?.set(chunk, this.#size)
    this.#size += chunk.byteLength
  }

  /** Returns the SHA-256 of all bytes, in hexadecimal. Nothing can be added afterwards. */
  digest(): string {
    this.#digest ??= this.#hasher.digest()
    return this.#digest
  }

  /** Stores the object in the archive. Returns its digest. */
  finish(): string {
    const digest = this.digest()
    this.#spool.keep(digest)
    return digest
  }

  /** Returns the bytes, if they were kept: those of the announced size. The caller takes over their share of the budget. */
  release(): Uint8Array | undefined {
    if (this.#bytes && this.#bytes.byteLength !== this.#size) this.#forget()
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }

  /** Discards the bytes, unless they were released, and closes the spool. */
  drop(): void {
    this.#forget()
    this.#spool.drop()
  }

  #forget(): void {
    if (this.#bytes) this.#budget.free(this.#bytes.byteLength)
    this.#bytes = undefined
  }
}

/** The object store in memory: bytes by storage key. Objects beyond the budget are not kept. */
export class Objects {
  readonly #bytes = new Map<string, Uint8Array>()
  readonly #budget: ByteBudget

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Replaces the bytes at a key. Without bytes, removes them. */
  put(key: string, bytes: Uint8Array | undefined): void {
    this.#budget.free(this.#bytes.get(key)?.byteLength ?? 0)
    if (bytes) this.#bytes.set(key, bytes)
    else this.#bytes.delete(key)
  }

  /** Returns the bytes at a key; undefined if there are none. */
  get(key: string): Uint8Array | undefined {
    return this.#bytes.get(key)
  }

  clear(): void {
    for (const key of [...this.#bytes.keys()]) this.put(key, undefined)
  }
}
