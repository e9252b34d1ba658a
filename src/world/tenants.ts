import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Archive, appendedAtOnce, noArchive } from './archive.ts'
import { Clock } from './clock.ts'
import { ByteBudget, type CreateHasher, defaultStoredBytes } from './objects.ts'
import { emptyScenario, type Scenario } from './scenario.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { World } from './world.ts'

export interface TenantsOptions {
  readonly seed: string
  /** Times faster than the real time; 0 stands still. */
  readonly clockSpeed: number
  /** Time at the start, in milliseconds since 1970; the real time where it is absent. */
  readonly startTime?: number
  readonly settings?: Partial<Settings>
  /** @default one that runs anywhere */
  readonly hasher?: CreateHasher
  /** How many bytes of objects are kept in memory, in all worlds together. @default 64 MiB */
  readonly maxStoredBytes?: number
  /** Where journals and objects are kept beyond the life of the mock. @default nowhere */
  readonly archive?: Archive
  /** Ended executions that are kept for each workflow. @default 10,000 */
  readonly maxExecutions?: number
  /** What every world begins with. */
  readonly scenario?: Scenario
}

/** One world per API key, so that tests running side by side never meet. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #archive: Archive
  readonly #worlds = new Map<string, World>()
  readonly #budget: ByteBudget
  /** Identifiers of keys that were seen, for a digest takes longer than all else that a call does with its key. */
  readonly #tenantIds = new Map<string, string>()
  /** What new worlds begin with. */
  #clock: Clock
  #settings: Settings
  #scenario: Scenario
  /** What a reset goes back to. */
  #first: Scenario

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#archive = options.archive ?? noArchive
    this.#budget = new ByteBudget(options.maxStoredBytes ?? defaultStoredBytes)
    this.#clock = this.#startClock()
    this.#settings = this.firstSettings
    this.#first = options.scenario ?? emptyScenario
    this.#scenario = this.#first
  }

  get size(): number {
    return this.#ids().size
  }

  /** The clock that new worlds follow. */
  get clock(): Clock {
    return this.#clock
  }

  get settings(): Settings {
    return this.#settings
  }

  /** The settings that the mock was started with. */
  get firstSettings(): Settings {
    return { ...defaultSettings, ...this.#options.settings }
  }

  get scenario(): Scenario {
    return this.#scenario
  }

  /** The world of a key; a key that was never seen opens a new one. */
  ofKey(key: string): World {
    const tenantId = this.idOf(key)
    return this.#worlds.get(tenantId) ?? this.#open(tenantId, this.#scenario)
  }

  /** The tenant identifier of a key, whether or not it has a world. */
  idOf(key: string): string {
    return this.#tenantIds.get(key) ?? this.#remember(key)
  }

  #remember(key: string): string {
    const digest = tenantIdOf(key)
    // Journals of earlier versions know the key by fewer digits, and so do the upload URLs in them.
    const earlier = digest.slice(0, 12)
    const tenantId = this.#archive.past(earlier).length > 0 ? earlier : digest
    this.#tenantIds.set(key, tenantId)
    return tenantId
  }

  /** The world of a tenant identifier; nothing where no key has opened it. */
  byId(tenantId: string): World | undefined {
    const known = this.#worlds.get(tenantId)
    if (known || this.#archive.past(tenantId).length === 0) return known
    return this.#open(tenantId, this.#scenario)
  }

  all(): World[] {
    return [...this.#ids()].flatMap((tenantId) => this.byId(tenantId) ?? [])
  }

  /** Whose worlds are open, or have a past and wait for their key. */
  #ids(): Set<string> {
    return new Set([...this.#worlds.keys(), ...this.#archive.tenants()])
  }

  /** Changes the settings of all worlds, and of those to come. */
  setSettings(settings: Settings): void {
    this.#settings = settings
    for (const world of this.all()) world.setSettings(settings)
  }

  /** Begins anew with a scenario: the world of a key, whose clock and settings stay, or all of them and those to come. */
  load(scenario: Scenario, key?: string): void {
    if (key !== undefined) {
      const tenantId = this.idOf(key)
      const before = this.#worlds.get(tenantId)
      this.#close(tenantId)
      this.#open(tenantId, scenario, before)
      return
    }
    this.#scenario = scenario
    for (const tenantId of this.#ids()) this.#close(tenantId)
  }

  /** Begins with a scenario, as if it had been there from the start: a reset goes back to it, and what has a past goes on. */
  startWith(scenario: Scenario): void {
    this.#first = scenario
    this.#scenario = scenario
    for (const tenantId of [...this.#worlds.keys()]) this.#close(tenantId)
  }

  /** Takes the world of a key back to the seed, or all of them: state, clock and settings. */
  reset(key?: string): void {
    if (key !== undefined) {
      this.#close(this.idOf(key))
      return
    }
    this.#clock.stop()
    this.#clock = this.#startClock()
    this.#settings = this.firstSettings
    this.load(this.#first)
  }

  /** Lets nothing happen any more. */
  stop(): void {
    this.#clock.stop()
    for (const { clock } of this.#worlds.values()) clock.stop()
  }

  #startClock(): Clock {
    const { clockSpeed: speed, startTime: start } = this.#options
    return new Clock({ speed, ...(start !== undefined && { start }) })
  }

  #open(
    tenantId: string,
    scenario: Scenario,
    like: Pick<World, 'clock' | 'settings'> = { clock: this.#clock, settings: this.#settings },
  ): World {
    const past = this.#archive.past(tenantId)
    const now = Math.max(like.clock.now(), past.at(-1)?.at ?? 0)
    const { leadMs = 0, profile, play } = scenario
    const isNew = past.length === 0
    // A scenario has happened by now: it is played on a clock that stands still, from its beginning.
    const clock = new Clock({ speed: 0, start: isNew ? now - leadMs : now })
    const { seed, hasher, maxExecutions } = this.#options
    const { archive, settle } = appendedAtOnce(this.#archive, tenantId)
    const world = new World(tenantId, {
      seed,
      clock,
      archive,
      settings: { ...like.settings, approvers: 'auto' },
      ...(profile && { profile }),
      budget: this.#budget,
      ...(hasher && { hasher }),
      ...(maxExecutions !== undefined && { maxExecutions }),
    })
    if (isNew) play(world, now)
    else world.restore(past)
    clock.advance(Math.max(0, now - clock.now()))
    settle()
    clock.setSpeed(like.clock.speed)
    world.setSettings(like.settings)
    this.#worlds.set(tenantId, world)
    return world
  }

  #close(tenantId: string): void {
    this.#archive.forget(tenantId)
    const world = this.#worlds.get(tenantId)
    world?.clock.stop()
    world?.objects.clear()
    this.#worlds.delete(tenantId)
  }
}

/** Returns a name for a key's world that hides the key, since it occurs in storage keys and URLs: 128 bits, in hexadecimal. */
function tenantIdOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 32)
}
