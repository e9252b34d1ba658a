import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { crc32 } from '../checksums/crc.ts'
import type { ObjectSums } from '../domain/uploads/upload.ts'
import type { Spool } from './archive.ts'
import type { Content, IncomingFile } from './files.ts'

/** Computes a SHA-256 incrementally. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** Returns the digest of all bytes, in hexadecimal. */
  digest(): string
}

/** How the checksums of objects are computed. */
export interface Hashing {
  /** Returns the CRC-32 of bytes, continued from that of the bytes before them; 0 at the beginning. */
  crc32(bytes: Uint8Array, before: number): number
  createSha256(): Hasher
}

/** Works on every platform. Node's own implementations are many times faster. */
export const portableHashing: Hashing = {
  crc32,
  createSha256() {
    const hash = sha256.create()
    return {
      update: (bytes) => {
        hash.update(bytes)
      },
      digest: () => bytesToHex(hash.digest()),
    }
  },
}

/** The default limit of objects in memory, in bytes. */
export const defaultStoredBytes = 64 * 1024 * 1024

/** The number of bytes of objects that all worlds together can still keep in memory. */
export class ByteBudget {
  #left: number

  constructor(readonly most: number) {
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

export interface ObjectWriterOptions {
  readonly hashing: Hashing
  readonly budget: ByteBudget
  /** Passes the object to the archive. @default bytes are not archived */
  readonly spool?: Spool | undefined
  /** Takes the bytes in place of the memory and the archive. @default the memory does */
  readonly file?: IncomingFile | undefined
  /** True if the SHA-256 was asked for. @default false */
  readonly needsSha256?: boolean
}

/**
 * Receives an object: computes its checksums, passes it to the archive, and keeps its bytes if they fit into the budget, or in a
 * file.
 */
export class ObjectWriter {
  readonly #hashing: Hashing
  /** Absent unless the SHA-256 was asked for, or names the object in the archive. */
  readonly #hasher: Hasher | undefined
  readonly #needsSha256: boolean
  readonly #budget: ByteBudget
  readonly #spool: Spool | undefined
  /** The size that was announced, in bytes. */
  readonly #expected: number
  #file: IncomingFile | undefined
  #bytes: Uint8Array | undefined
  #size = 0
  #crc32 = 0
  #sha256: string | undefined

  constructor(size: number, { hashing, budget, spool, file, needsSha256 = false }: ObjectWriterOptions) {
    this.#hashing = hashing
    this.#hasher = spool || needsSha256 ? hashing.createSha256() : undefined
    this.#needsSha256 = needsSha256
    this.#budget = budget
    this.#spool = spool
    this.#expected = size
    this.#file = file
    this.#bytes = !file && budget.take(size) ? new Uint8Array(size) : undefined
  }

  add(chunk: Uint8Array): void {
    this.#crc32 = this.#hashing.crc32(chunk, this.#crc32)
    this.#hasher?.update(chunk)
    this.#spool?.add(chunk)
    this.#file?.add(chunk)
    if (this.#bytes && this.#size + chunk.byteLength > this.#bytes.byteLength) this.#forget()
    this.#bytes?.set(chunk, this.#size)
    this.#size += chunk.byteLength
  }

  /** Returns the CRC-32 of all bytes, in hexadecimal. */
  crc32(): string {
    return this.#crc32.toString(16).padStart(8, '0')
  }

  /** Returns the SHA-256 of all bytes, in hexadecimal. Nothing can be added afterwards. Throws if it was not asked for. */
  sha256(): string {
    if (!this.#hasher) throw new TypeError('The SHA-256 of an object was not asked for.')
    this.#sha256 ??= this.#hasher.digest()
    return this.#sha256
  }

  /** Completes the file, if there is one, without holding up other calls. Nothing can be added afterwards. */
  settle(): Promise<void> | undefined {
    this.#dropFileOfAnotherSize()
    return this.#file?.keep()
  }

  /** Stores the object in its file or the archive, if there is one. Returns its checksums. */
  finish(): ObjectSums {
    this.#dropFileOfAnotherSize()
    this.#file?.keepNow()
    this.#spool?.keep(this.sha256())
    return {
      crc32: this.crc32(),
      ...(this.#needsSha256 && { sha256: this.sha256() }),
      ...(this.#spool && { object: this.sha256() }),
      ...(this.#file && { file: this.#file.name }),
    }
  }

  /** Returns the bytes, if they were kept: those of the announced size. The caller takes over their share of the budget. */
  release(): Uint8Array | undefined {
    if (this.#bytes && this.#bytes.byteLength !== this.#size) this.#forget()
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }

  /** Leaves the file to the upload that names it. Without this, `drop` removes the file. */
  leaveFile(): void {
    this.#file = undefined
  }

  /** Discards the bytes, unless they were released, and the file, unless it was left, and closes the spool. */
  drop(): void {
    this.#forget()
    this.#spool?.drop()
    this.#file?.drop()
    this.#file = undefined
  }

  /** As in memory, only files of the announced size are kept. */
  #dropFileOfAnotherSize(): void {
    if (this.#size === this.#expected) return
    this.#file?.drop()
    this.#file = undefined
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

/** Returns bytes in memory as the content of an object. */
export function contentOf(bytes: Uint8Array): Content {
  return {
    size: bytes.byteLength,
    bytes,
    *pieces(most) {
      for (let at = 0; at < bytes.byteLength; at += most) yield bytes.subarray(at, at + most)
    },
  }
}
