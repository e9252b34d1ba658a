import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Spool } from './archive.ts'

/** Computes a SHA-256 while the bytes arrive. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** The digest of all bytes, in hexadecimal. */
  digest(): string
}

export type CreateHasher = () => Hasher

/** Runs anywhere; Node's own is many times faster. */
export const portableHasher: CreateHasher = () => {
  const hash = sha256.create()
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    digest: () => bytesToHex(hash.digest()),
  }
}

/** How many bytes of objects are kept in memory where nothing else is said. */
export const defaultStoredBytes = 64 * 1024 * 1024

/** How many bytes of objects may be kept in memory, by all worlds together. */
export class ByteBudget {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  /** Takes so many bytes, if there are so many left. */
  take(size: number): boolean {
    if (size > this.#left) return false
    this.#left -= size
    return true
  }

  giveBack(size: number): void {
    this.#left += size
  }
}

/** An object on its way in: its digest grows with it, and its bytes are kept as long as the budget has room for all of them. */
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
    this.#bytes?.set(chunk, this.#size)
    this.#size += chunk.byteLength
  }

  /** Returns the SHA-256 of all bytes, in hexadecimal. Nothing can be added afterwards. */
  digest(): string {
    this.#digest ??= this.#hasher.digest()
    return this.#digest
  }

  /** Ends it and returns the digest of all bytes. */
  finish(): string {
    const digest = this.digest()
    this.#spool.keep(digest)
    return digest
  }

  /** The bytes, if they were kept, with their share of the budget. */
  release(): Uint8Array | undefined {
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }

  /** Lets go of what was not released. */
  drop(): void {
    if (this.#bytes) this.#budget.giveBack(this.#bytes.byteLength)
    this.#bytes = undefined
    this.#spool.drop()
  }
}

/** The fake object store: bytes by storage key, as far as the budget went. */
export class Objects {
  readonly #bytes = new Map<string, Uint8Array>()
  readonly #budget: ByteBudget

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Takes the place of what was at the key; without bytes, nothing is there any more. */
  put(key: string, bytes: Uint8Array | undefined): void {
    this.#budget.giveBack(this.#bytes.get(key)?.byteLength ?? 0)
    if (bytes) this.#bytes.set(key, bytes)
    else this.#bytes.delete(key)
  }

  /** The bytes at a key; nothing where none were put or kept. */
  get(key: string): Uint8Array | undefined {
    return this.#bytes.get(key)
  }

  clear(): void {
    for (const key of [...this.#bytes.keys()]) this.put(key, undefined)
  }
}
