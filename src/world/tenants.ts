import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Archive, appendedAtOnce, noArchive } from './archive.ts'
import { Clock } from './clock.ts'
import { defaultMemoryBytes, Memory } from './memory.ts'
import { ByteBudget, type CreateHasher, defaultStoredBytes } from './objects.ts'
import { emptyScenario, type Scenario } from './scenario.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { isWork, Slices, type Work } from './slices.ts'
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
  /** How many bytes all worlds together may keep in memory, by estimate. Creating is refused beyond it. @default 512 MiB */
  readonly maxMemoryBytes?: number
  /** What every world begins with. */
  readonly scenario?: Scenario
  /** How long work is divided. @default slices of 20 ms */
  readonly slices?: Slices
}

/** What is done with a world: now, or as work that can be interrupted. */
export type Use<Result> = (world: World) => Result | Work<Result>

/** One world per API key, so that tests running side by side never meet. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #archive: Archive
  readonly #worlds = new Map<string, World>()
  readonly #budget: ByteBudget
  readonly #slices: Slices
  /** What all worlds keep. */
  readonly memory: Memory
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
    this.memory = new Memory(options.maxMemoryBytes ?? defaultMemoryBytes)
    this.#slices = options.slices ?? new Slices()
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

  /** The world of a key; a key that was never seen opens a new one. What is in progress in it is ended first. */
  ofKey(key: string): World {
    return this.atOnce(() => this.enter(this.idOf(key), (world) => world))
  }

  /**
   * Uses the world of a tenant identifier as soon as the work on it that was asked for before has ended. Returns a promise only if
   * that takes more than a slice.
   */
  enter<Result>(tenantId: string, use: Use<Result>): Result | Promise<Result> {
    const world = this.#worlds.get(tenantId)
    // What most requests find: nothing to wait for.
    if (world && !world.clock.isBehind && !this.#slices.isBusy(tenantId)) {
      const result = use(world)
      return isWork(result) ? this.#slices.run(tenantId, result) : result
    }
    return this.#slices.run(tenantId, this.#entering(tenantId, use))
  }

  *#entering<Result>(tenantId: string, use: Use<Result>): Work<Result> {
    const world = this.#worlds.get(tenantId) ?? (yield* this.#open(tenantId, this.#scenario))
    yield* world.clock.runDue()
    const result = use(world)
    return isWork(result) ? yield* result : result
  }

  /** Uses all worlds, as `enter` does each. */
  enterAll(use: Use<void>): void | Promise<void> {
    return this.#all((tenantId) => this.enter(tenantId, use))
  }

  #all(call: (tenantId: string) => void | Promise<void>): void | Promise<void> {
    const waiting: Promise<void>[] = []
    for (const tenantId of this.#ids()) {
      const result = call(tenantId)
      if (result) waiting.push(result)
    }
    return waiting.length > 0 ? Promise.all(waiting).then(() => {}) : undefined
  }

  /** Does long work that changes no world. */
  inSlices<Result>(work: Work<Result>): Result | Promise<Result> {
    return this.#slices.run('', work)
  }

  /** For callers that cannot wait: whatever `call` asks for is done without interruption, after what is in progress there. */
  atOnce<Result>(call: () => Result | Promise<Result>): Result {
    return this.#slices.atOnce(call)
  }

  /** The tenant identifier of a key, whether or not it has a world. */
  idOf(key: string): string {
    return this.#tenantIds.get(key) ?? this.#remember(key)
  }

  #remember(key: string): string {
    const tenantId = tenantIdOf(key)
    // Finding them anew costs little; keeping every key ever seen would not.
    if (this.#tenantIds.size >= mostKeys) this.#tenantIds.clear()
    this.#tenantIds.set(key, tenantId)
    return tenantId
  }

  /** Whether a tenant has a world, open or archived. */
  has(tenantId: string): boolean {
    return this.#worlds.has(tenantId) || this.#archive.past(tenantId).length > 0
  }

  /** The world of a tenant identifier; undefined if no key has opened it. */
  byId(tenantId: string): World | undefined {
    return this.has(tenantId) ? this.atOnce(() => this.enter(tenantId, (world) => world)) : undefined
  }

  all(): World[] {
    return [...this.#ids()].flatMap((tenantId) => this.byId(tenantId) ?? [])
  }

  /** Whose worlds are open, or have a past and wait for their key. */
  #ids(): Set<string> {
    return new Set([...this.#worlds.keys(), ...this.#archive.tenants()])
  }

  /** Changes the settings of all worlds, and of those to come. */
  setSettings(settings: Settings): void | Promise<void> {
    this.#settings = settings
    return this.enterAll((world) => world.changeSettings(settings))
  }

  /** Begins anew with a scenario: the world of a key, whose clock and settings stay, or all of them and those to come. */
  load(scenario: Scenario, key?: string): void | Promise<void> {
    if (key !== undefined) {
      const tenantId = this.idOf(key)
      return this.#slices.run(tenantId, this.#reopen(tenantId, scenario))
    }
    this.#scenario = scenario
    return this.#closeAll()
  }

  /** Begins with a scenario, as if it had been there from the start: a reset goes back to it, and what has a past goes on. */
  startWith(scenario: Scenario): void {
    this.#first = scenario
    this.#scenario = scenario
    for (const tenantId of [...this.#worlds.keys()]) this.#close(tenantId)
  }

  /** Takes the world of a key back to the seed, or all of them: state, clock and settings. */
  reset(key?: string): void | Promise<void> {
    if (key !== undefined) {
      const tenantId = this.idOf(key)
      this.#tenantIds.delete(key)
      return this.#slices.run(tenantId, this.#closing(tenantId))
    }
    this.#tenantIds.clear()
    this.#clock.stop()
    this.#clock = this.#startClock()
    this.#settings = this.firstSettings
    return this.load(this.#first)
  }

  #closeAll(): void | Promise<void> {
    return this.#all((tenantId) => this.#slices.run(tenantId, this.#closing(tenantId)))
  }

  *#closing(tenantId: string): Work {
    this.#close(tenantId)
    // There may be many to close.
    yield
  }

  *#reopen(tenantId: string, scenario: Scenario): Work {
    const before = this.#worlds.get(tenantId)
    this.#close(tenantId)
    yield* this.#open(tenantId, scenario, before)
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

  *#open(
    tenantId: string,
    scenario: Scenario,
    like: Pick<World, 'clock' | 'settings'> = { clock: this.#clock, settings: this.#settings },
  ): Work<World> {
    const past = this.#archive.past(tenantId)
    const now = Math.max(like.clock.now(), past.at(-1)?.at ?? 0)
    const { leadMs = 0, profile, play } = scenario
    const isNew = past.length === 0
    // A scenario has happened by now: it is played on a clock that stands still, from its beginning.
    const doWork = (work: Work) => this.#slices.run(tenantId, work)
    const clock = new Clock({ speed: 0, start: isNew ? now - leadMs : now, doWork })
    this.memory.mustHaveRoom()
    const { seed, hasher, maxExecutions } = this.#options
    const { archive, settle } = appendedAtOnce(this.#archive, tenantId)
    const world = new World(tenantId, {
      seed,
      clock,
      archive,
      settings: { ...like.settings, approvers: 'auto' },
      ...(profile && { profile }),
      budget: this.#budget,
      memory: this.memory,
      ...(hasher && { hasher }),
      ...(maxExecutions !== undefined && { maxExecutions }),
    })
    try {
      if (isNew) {
        const playing = play(world, now)
        if (isWork(playing)) yield* playing
      } else world.restore(past)
      yield* clock.pass(Math.max(0, now - clock.now()))
      settle()
      yield* clock.changeSpeed(like.clock.speed)
      yield* world.changeSettings(like.settings)
    } catch (error) {
      world.close()
      throw error
    }
    this.#worlds.set(tenantId, world)
    return world
  }

  #close(tenantId: string): void {
    this.#archive.forget(tenantId)
    this.#worlds.get(tenantId)?.close()
    this.#worlds.delete(tenantId)
  }
}

/** As many keys have their identifier at hand. */
const mostKeys = 10_000

/** A name for a key's world that does not show the key, since it stands in storage keys and URLs. */
function tenantIdOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 12)
}
