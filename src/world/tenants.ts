import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Archive, appendedAtOnce, noArchive, orLater } from './archive.ts'
import { Clock } from './clock.ts'
import { allTenants, type ClockReading, nowOf } from './clock-reading.ts'
import { defaultMemoryBytes, Memory } from './memory.ts'
import { ByteBudget, type CreateHasher, defaultStoredBytes } from './objects.ts'
import { emptyScenario, type Scenario } from './scenario.ts'
import { drawSecret } from './secret.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { doAtOnce, isWork, Slices, type Work, whenDone } from './slices.ts'
import { World } from './world.ts'

export interface TenantsOptions {
  readonly seed: string
  /** Signs upload URLs, if the archive has no secret. @default drawn at random */
  readonly secret?: string
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

/** A world whose past is being replayed. */
interface Returning {
  readonly opening: Opening
  /** Time of its last event, in milliseconds since 1970. */
  lastAt: number
  /** What its clock told, if it did not follow the clock of new worlds. */
  reading?: ClockReading
}

/** A world before it is in use. Its clock stands still, and nothing that the clock does is kept. */
interface Opening {
  readonly world: World
  /** Moves the clock forward to a time, and keeps what has happened by then. */
  readonly settle: (now: number) => Work
  /** Takes it into use with the settings, and starts its clock. */
  readonly release: (speed: number, settings: Settings) => Work
}

/** One world per API key, so that tests running side by side never meet. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #archive: Archive
  readonly #worlds = new Map<string, World>()
  /** Tenants whose worlds are being opened. */
  readonly #opening = new Set<string>()
  readonly #budget: ByteBudget
  readonly #secret: string
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
  /** Tenants whose worlds the archive had kept; undefined until they are open. */
  #restored: ReadonlySet<string> | undefined
  /** Tenants with a clock reading of their own in the archive. */
  readonly #ownClocks = new Set<string>()
  #isStopped = false

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#archive = options.archive ?? noArchive
    this.#secret = this.#archive.secret ?? options.secret ?? drawSecret()
    this.#budget = new ByteBudget(options.maxStoredBytes ?? defaultStoredBytes)
    this.memory = new Memory(options.maxMemoryBytes ?? defaultMemoryBytes)
    this.#slices = options.slices ?? new Slices()
    this.#clock = this.#startClock()
    this.#settings = this.firstSettings
    this.#first = options.scenario ?? emptyScenario
    this.#scenario = this.#first
  }

  get size(): number {
    return this.#worlds.size
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
    // A world that is opened before the mock is ready may have a past.
    this.restore()
    const world = this.#worlds.get(tenantId) ?? (yield* this.#open(tenantId, this.#scenario))
    yield* world.clock.runDue()
    const result = use(world)
    return isWork(result) ? yield* result : result
  }

  /** Uses all worlds, those that are being opened too, as `enter` does each. */
  enterAll(use: Use<void>): void | Promise<void> {
    return this.#all((tenantId) => this.enter(tenantId, use))
  }

  #all(call: (tenantId: string) => void | Promise<void>): void | Promise<void> {
    const waiting: Promise<void>[] = []
    for (const tenantId of new Set([...this.#worlds.keys(), ...this.#opening])) {
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
    const digest = tenantIdOf(key)
    // Journals of earlier versions know the key by fewer digits, and so do the upload URLs in them.
    const earlier = digest.slice(0, 12)
    this.restore()
    const tenantId = this.#worlds.has(earlier) ? earlier : digest
    // Finding them anew costs little; keeping every key ever seen would not.
    if (this.#tenantIds.size >= mostKeys) this.#tenantIds.clear()
    this.#tenantIds.set(key, tenantId)
    return tenantId
  }

  /** Whether a tenant has a world. */
  has(tenantId: string): boolean {
    return this.#worlds.has(tenantId)
  }

  /** The world of a tenant identifier; undefined if no key has opened it. */
  byId(tenantId: string): World | undefined {
    return this.has(tenantId) ? this.atOnce(() => this.enter(tenantId, (world) => world)) : undefined
  }

  all(): World[] {
    return [...this.#worlds.keys()].flatMap((tenantId) => this.byId(tenantId) ?? [])
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

  /** Begins with a scenario, as if it had been there from the start: a reset goes back to it, and restored worlds go on. */
  startWith(scenario: Scenario): void {
    this.#first = scenario
    this.#scenario = scenario
    for (const tenantId of [...this.#worlds.keys()]) if (!this.#restored?.has(tenantId)) this.#close(tenantId)
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
    this.#archive.forget(allTenants)
    this.#clock = this.#startClock()
    this.#settings = this.firstSettings
    // Kept last: without any other line, the archive can begin anew.
    return whenDone(this.load(this.#first), () => this.#keepClock(allTenants, this.#clock.now(), this.#clock.speed))
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

  /** Opens the worlds that the archive has kept, if that is not done yet, without interruption. Throws an `ArchiveError`. */
  restore(): void {
    if (this.#restored) return
    const returning = new Map<string, Returning>()
    const abandon = () => {
      for (const { opening } of returning.values()) opening.world.close()
      returning.clear()
    }
    const prepare = (tenantId: string) => {
      const one: Returning = { opening: this.#prepare(tenantId, this.#scenario), lastAt: 0 }
      returning.set(tenantId, one)
      return one
    }
    let reading: ClockReading | undefined
    try {
      this.#archive.replay(() => {
        abandon()
        return ({ tenantId, record, later, laterCompletions }) => {
          if (tenantId === allTenants && 'told' in record) {
            reading = record
            return
          }
          const known = returning.get(tenantId) ?? prepare(tenantId)
          if ('told' in record) known.reading = record
          else {
            known.opening.world.apply(record, later, laterCompletions)
            known.lastAt = record.at
          }
        }
      })
    } catch (error) {
      abandon()
      throw error
    }
    this.#restored = new Set(returning.keys())
    if (reading) {
      this.#clock.stop()
      this.#clock = this.#startClock(nowOf(reading))
    }
    this.#keepClock(allTenants, this.#clock.now(), this.#clock.speed)
    for (const [tenantId, { opening, lastAt, reading: own }] of returning) {
      if (own) this.#ownClocks.add(tenantId)
      const { world, settle, release } = opening
      world.clock.advance(Math.max(this.#clock.now(), lastAt, own ? nowOf(own) : 0) - world.clock.now())
      world.resume()
      doAtOnce(settle(world.clock.now()))
      this.#worlds.set(tenantId, world)
      doAtOnce(release(this.#clock.speed, this.#settings))
    }
  }

  /** Lets nothing happen any more, and keeps what the clocks tell. */
  stop(): void {
    this.#clock.stop()
    for (const { clock } of this.#worlds.values()) clock.stop()
    if (this.#isStopped) return
    doAtOnce(orLater(this.#keepClocks()))
    this.#isStopped = true
  }

  *#keepClocks(): Work {
    this.#keepClock(allTenants, this.#clock.now(), 0)
    for (const tenantId of this.#ownClocks) {
      yield
      const world = this.#worlds.get(tenantId)
      if (world) this.#keepClock(tenantId, world.clock.now(), 0)
    }
  }

  #startClock(atLeast = 0): Clock {
    const { clockSpeed: speed, startTime } = this.#options
    const onMove = (told: number, speed: number) => this.#keepClock(allTenants, told, speed)
    const clock = new Clock({ speed, onMove, ...(startTime !== undefined && { start: startTime }) })
    return clock.now() < atLeast ? new Clock({ speed, onMove, start: atLeast }) : clock
  }

  /** From this reading the time can be told after a restart: exactly after a stop, and after a kill as if it had gone on. */
  #keepClock(tenantId: string, told: number, speed: number): void {
    if (this.#archive === noArchive || this.#isStopped) return
    this.#archive.keepClock(tenantId, { told, real: Date.now(), speed })
    if (tenantId !== allTenants) this.#ownClocks.add(tenantId)
  }

  *#open(
    tenantId: string,
    scenario: Scenario,
    like: Pick<World, 'clock' | 'settings'> = { clock: this.#clock, settings: this.#settings },
  ): Work<World> {
    this.memory.mustHaveRoom()
    const now = like.clock.now()
    const { leadMs = 0, play } = scenario
    const { world, settle, release } = this.#prepare(tenantId, scenario, now - leadMs, 'auto')
    this.#opening.add(tenantId)
    try {
      const playing = play(world, now)
      if (isWork(playing)) yield* playing
      yield* settle(now)
    } catch (error) {
      world.close()
      throw error
    } finally {
      this.#opening.delete(tenantId)
    }
    this.#worlds.set(tenantId, world)
    yield* release(like.clock.speed, like.settings)
    return world
  }

  /** A world whose clock stands still at a time: what happens in it has happened already. */
  #prepare(tenantId: string, { profile }: Scenario, start = 0, approvers: Settings['approvers'] = 'manual'): Opening {
    let isOpen = false
    const onMove = (told: number, speed: number) => {
      if (isOpen) this.#keepClock(tenantId, told, speed)
    }
    const doWork = (work: Work) => this.#slices.run(tenantId, work)
    const clock = new Clock({ speed: 0, start, onMove, doWork })
    const { seed, hasher, maxExecutions } = this.#options
    const { archive, settle: settleArchive } = appendedAtOnce(this.#archive, tenantId)
    const world = new World(tenantId, {
      seed,
      secret: this.#secret,
      clock,
      archive,
      settings: { ...this.#settings, approvers },
      ...(profile && { profile }),
      budget: this.#budget,
      memory: this.memory,
      ...(hasher && { hasher }),
      ...(maxExecutions !== undefined && { maxExecutions }),
    })
    const keepOwnTime = () => {
      // It does not follow from that of the clock of new worlds.
      const now = clock.now()
      if (this.#ownClocks.has(tenantId) || now > this.#clock.now()) this.#keepClock(tenantId, now, clock.speed)
    }
    return {
      world,
      *settle(now) {
        yield* clock.pass(Math.max(0, now - clock.now()))
        settleArchive()
      },
      *release(speed, settings) {
        yield* clock.changeSpeed(speed)
        isOpen = true
        yield* world.changeSettings(settings)
        keepOwnTime()
      },
    }
  }

  #close(tenantId: string): void {
    this.#archive.forget(tenantId)
    this.#ownClocks.delete(tenantId)
    this.#worlds.get(tenantId)?.close()
    this.#worlds.delete(tenantId)
  }
}

/** As many keys have their identifier at hand. */
const mostKeys = 10_000

/** Returns a name for a key's world that hides the key, since it occurs in storage keys and URLs: 128 bits, in hexadecimal. */
function tenantIdOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 32)
}
