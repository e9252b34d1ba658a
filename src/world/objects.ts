import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256 of some bytes, in hexadecimal. */
export type Sha256 = (bytes: Uint8Array) => string

/** Runs anywhere; Node's own is many times faster. */
export const portableSha256: Sha256 = (bytes) => bytesToHex(sha256(bytes))

/** The fake object store: bytes by storage key. */
export class Objects {
  readonly #bytes = new Map<string, Uint8Array>()

  put(key: string, bytes: Uint8Array): void {
    this.#bytes.set(key, bytes)
  }

  /** The bytes at a key; nothing where none were put. */
  get(key: string): Uint8Array | undefined {
    return this.#bytes.get(key)
  }
}
