import { joinParts } from '../../src/contract/bytes.ts'
import type { World } from '../../src/world/world.ts'

/** Returns the bytes that a world has at a storage key; undefined if it keeps none. */
export function storedBytes(world: World, key: string): Uint8Array | undefined {
  const upload = world.uploadByKey(key)
  const content = upload && world.content(upload)
  return content && joinParts([...content.pieces(1024 * 1024)])
}
