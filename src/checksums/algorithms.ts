import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Checksum, crcOf } from './crc.ts'

export interface ChecksumAlgorithm {
  /** Length of its value, in bytes. */
  readonly bytes: number
  /** Absent for those that the writer of an object computes. */
  readonly create?: () => Checksum
}

/** The algorithms of `x-amz-checksum-` that are verified here (Amazon S3 User Guide, Checking object integrity). */
export const checksumAlgorithms = {
  crc32: { bytes: 4 },
  crc32c: { bytes: 4, create: crcOf({ high: 0, low: 0x82f63b78, bytes: 4 }) },
  crc64nvme: { bytes: 8, create: crcOf({ high: 0x9a6c9329, low: 0xac4bc9b5, bytes: 8 }) },
  md5: { bytes: 16, create: () => md5.create() },
  sha1: { bytes: 20, create: () => sha1.create() },
  sha256: { bytes: 32 },
  sha512: { bytes: 64, create: () => sha512.create() },
} satisfies Record<string, ChecksumAlgorithm>
