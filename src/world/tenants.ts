import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { World, type WorldOptions } from './world.ts'

/** One world per API key, so that tests running side by side never meet. */
export class Tenants {
  readonly #worlds = new Map<string, World>()

  /** `options` gives each new world what it is made of; a clock is never shared. */
  constructor(readonly options: () => WorldOptions) {}

  /** The world of a key; a key that was never seen opens a new one. */
  ofKey(key: string): World {
    // The identifier stands in storage keys and URLs, so it must not show the key.
    const tenantId = bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 12)
    const known = this.#worlds.get(tenantId)
    if (known) return known
    const world = new World(tenantId, this.options())
    this.#worlds.set(tenantId, world)
    return world
  }

  /** The world of a tenant identifier; nothing where no key has opened it. */
  byId(tenantId: string): World | undefined {
    return this.#worlds.get(tenantId)
  }

  /** Takes every world back to the seed. */
  reset(): void {
    for (const world of this.#worlds.values()) world.clock.stop()
    this.#worlds.clear()
  }
}
