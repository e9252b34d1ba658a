import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { crc32 } from '../checksums/crc.ts'

/** The record of a binary body. */
export interface SentBytes {
  readonly size: number
  /** In lower-case hexadecimal, like all digests here. */
  readonly sha256: string
  /** Absent if a proxy has recorded the body. */
  readonly md5?: string
  /** Absent if a proxy has recorded the body. */
  readonly crc32?: string
}

/** Returns the size and the digests of bytes. */
export function digestsOf(bytes: Uint8Array): Required<SentBytes> {
  return {
    size: bytes.byteLength,
    sha256: bytesToHex(sha256(bytes)),
    md5: bytesToHex(md5(bytes)),
    crc32: crc32(bytes).toString(16).padStart(8, '0'),
  }
}
