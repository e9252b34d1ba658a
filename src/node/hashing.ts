import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Hashing } from '../world/objects.ts'

/** Computes checksums with Node's own implementations. */
export const hashing: Hashing = {
  crc32,
  createSha256() {
    const hash = createHash('sha256')
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
  },
}
