import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Clock } from './clock.ts'
import { World } from './world.ts'

/** One world per API key, so that tests running side by side never meet. */
export class Tenants {
  readonly #worlds = new Map<string, World>()

  constructor(
    readonly clock: Clock,
    readonly seed: string,
  ) {}

  /** The world of a key; a key that was never seen opens a new one. */
  ofKey(key: string): World {
    // The identifier stands in storage keys and URLs, so it must not show the key.
    const tenantId = bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 12)
    const known = this.#worlds.get(tenantId)
    if (known) return known
    const world = new World(tenantId, this.clock, this.seed)
    this.#worlds.set(tenantId, world)
    return world
  }

  /** The world of a tenant identifier; nothing where no key has opened it. */
  byId(tenantId: string): World | undefined {
    return this.#worlds.get(tenantId)
  }

  /** Takes every world back to the seed. */
  reset(): void {
    this.#worlds.clear()
  }
}
