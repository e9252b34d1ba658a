import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { crc32 } from '../checksums/crc.ts'
import type { ObjectSums } from '../domain/uploads/upload.ts'
import type { IncomingFile } from './files.ts'

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

export interface ObjectWriterOptions {
  readonly hashing: Hashing
  /** Takes the bytes. Absent if there is no room for them. */
  readonly file?: IncomingFile | undefined
  /** True if the SHA-256 was asked for. @default false */
  readonly needsSha256?: boolean
}

/** Receives an object: computes its checksums, and passes its bytes to a file. */
export class ObjectWriter {
  readonly #hashing: Hashing
  /** Absent unless the SHA-256 was asked for. */
  readonly #hasher: Hasher | undefined
  /** The size that was announced, in bytes. */
  readonly #expected: number
  #file: IncomingFile | undefined
  #size = 0
  #crc32 = 0
  #sha256: string | undefined

  constructor(size: number, { hashing, file, needsSha256 = false }: ObjectWriterOptions) {
    this.#hashing = hashing
    this.#hasher = needsSha256 ? hashing.createSha256() : undefined
    this.#expected = size
    this.#file = file
  }

  add(chunk: Uint8Array): void {
    this.#crc32 = this.#hashing.crc32(chunk, this.#crc32)
    this.#hasher?.update(chunk)
    this.#file?.add(chunk)
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

  /** Completes the file, if there is one. Returns the checksums, and the name of the file; its size if it is not as announced. */
  finish(announced = this.#expected): ObjectSums {
    this.#dropFileOfAnotherSize()
    this.#file?.keepNow()
    return {
      crc32: this.crc32(),
      ...(this.#hasher && { sha256: this.sha256() }),
      ...(this.#file && { file: this.#file.name }),
      ...(this.#file && this.#size !== announced && { size: this.#size }),
    }
  }

  /** Leaves the file to the upload that names it. Without this, `drop` removes the file. */
  leaveFile(): void {
    this.#file = undefined
  }

  /** Removes the file, unless it was left. */
  drop(): void {
    this.#file?.drop()
    this.#file = undefined
  }

  /** Only files of the announced size are kept. */
  #dropFileOfAnotherSize(): void {
    if (this.#size !== this.#expected) this.drop()
  }
}
