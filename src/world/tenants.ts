import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { DomainError } from '../domain/errors.ts'
import type { Router } from '../domain/routing/routing.ts'
import type { ProfileOf, StepPace } from './approvers.ts'
import {
  type Archive,
  ArchiveError,
  type Beginning,
  type LogRecord,
  noArchive,
  orLater,
  type PastRecord,
} from './archive.ts'
import { Clock } from './clock.ts'
import { allTenants, type ClockReading, nowOf, readingOf } from './clock-reading.ts'
import { UnusableEventError } from './events.ts'
import { defaultStoredBytes, type Files, MemoryFiles } from './files.ts'
import { defaultMemoryBytes, Memory } from './memory.ts'
import type { Hashing } from './objects.ts'
import { emptyScenario, type Scenario } from './scenario.ts'
import { drawSecret } from './secret.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { doAtOnce, isWork, Slices, type Work, whenDone } from './slices.ts'
import type { Past } from './tenant-file.ts'
import { type Turns, turnsAlone } from './turns.ts'
import { World } from './world.ts'

export interface TenantsOptions {
  readonly seed: string
  /** Signs upload URLs, if the archive has no secret. @default drawn at random */
  readonly secret?: string
  /** The speed as a multiple of real time; 0 means stopped. */
  readonly clockSpeed: number
  /** Time at the start, in milliseconds since 1970. @default the real time */
  readonly startTime?: number
  readonly settings?: Partial<Settings>
  /** @default a scheduler that runs on every platform */
  readonly hashing?: Hashing
  /** The limit of objects in memory, for all worlds together, and in an export, in bytes. @default 64 MiB */
  readonly maxStoredBytes?: number
  /** Stores journals and objects so that they outlive the mock. @default none */
  readonly archive?: Archive
  /** Keeps the contents of objects. @default the archive, or else the memory */
  readonly files?: Files
  /** Chooses approvers. @default smart routing */
  readonly router?: Router | undefined
  /** The pace of all simulated approvers, who then approve everything. @default drawn from the seed */
  readonly pace?: StepPace | undefined
  /** The number of ended executions that each workflow keeps. @default 10,000 */
  readonly maxExecutions?: number
  /** The limit of memory for all worlds together, in bytes, by estimate. Creating fails beyond it. @default 512 MiB */
  readonly maxMemoryBytes?: number
  /** The state that every world starts with. @default empty */
  readonly scenario?: Scenario
  /** Called with warnings for the user. @default they are ignored */
  readonly onWarning?: (message: string) => void
  /** Divides long work. @default slices of 20 ms */
  readonly slices?: Slices
  /** Returns what gives turns to work on worlds that other mocks have, too. @default each gets its turn at once */
  readonly turns?: (tenants: Tenants) => Turns
}

/** Uses a world, immediately or as interruptible work. */
export type Use<Result> = (world: World) => Result | Work<Result>

/** A world whose events are being replayed from the archive. */
interface Replayed {
  readonly opening: Opening
  /** The reading of its own clock, if it did not follow the clock of new worlds. */
  reading?: ClockReading
}

/** A tenant whose state is unknown, and the names of its files. */
interface SetAside {
  readonly reason: DomainError
  readonly files: string[]
}

/** A world that is being prepared. Its clock is stopped, and its readings are not stored. */
interface Opening {
  readonly world: World
  /** Advances the clock to a time and stores the events up to then. */
  readonly settle: (now: number) => Work
  /** Applies the settings and starts the clock. */
  readonly release: (speed: number, settings: Settings) => Work
  /** Does both for a world that follows another one, whose records say time, speed and settings. */
  readonly join: () => void
}

/** What a world takes its speed and settings from: another world, or all new ones. */
type Paced = Pick<World, 'clock' | 'settings'>

/** Keeps one world for each API key, so that parallel tests do not affect each other. */
export class Tenants {
  readonly #options: TenantsOptions
  readonly #archive: Archive
  readonly #worlds = new Map<string, World>()
  /** Tenants whose worlds are being opened. */
  readonly #opening = new Set<string>()
  readonly #files: Files
  /** The most bytes of objects that an export has. */
  readonly mostExportedBytes: number
  readonly #secret: string
  readonly #slices: Slices
  readonly #turns: Turns
  /** The memory of all worlds. */
  readonly memory: Memory
  /** Caches the identifiers of keys, since computing a digest takes longer than everything else that a call does with its key. */
  readonly #tenantIds = new Map<string, string>()
  /** The ends of those keys, by tenant. */
  readonly #keyEnds = new Map<string, string>()
  /** The clock that new worlds follow. */
  readonly clock: Clock
  /** Their settings and scenario. */
  #settings: Settings
  #scenario: Scenario
  #first: Scenario
  /** Tenants whose worlds were restored from the archive; undefined before that. */
  #restored: ReadonlySet<string> | undefined
  /** Tenants that are refused until they are reset, since their worlds could not be restored or have failed. */
  readonly #setAside = new Map<string, SetAside>()
  /** Tenants whose own clock readings are in the archive. */
  readonly #ownClocks = new Set<string>()
  /** Tenants whose worlds were closed, and open again when they are used. */
  readonly #closed = new Set<string>()
  #isStopped = false
  #uses = 0
  #generations = 0

  constructor(options: TenantsOptions) {
    this.#options = options
    this.#archive = options.archive ?? noArchive
    this.#secret = this.#archive.secret ?? options.secret ?? drawSecret()
    this.mostExportedBytes = options.maxStoredBytes ?? defaultStoredBytes
    this.#files = options.files ?? this.#archive.files ?? new MemoryFiles(options.maxStoredBytes)
    this.memory = new Memory(options.maxMemoryBytes ?? defaultMemoryBytes)
    this.#slices = options.slices ?? new Slices()
    this.clock = new Clock({
      ...{ speed: options.clockSpeed, start: options.startTime },
      onMove: (mockTime, speed) => this.#keepClock(allTenants, mockTime, speed),
    })
    this.#settings = this.firstSettings
    this.#first = options.scenario ?? emptyScenario
    this.#scenario = this.#first
    this.#turns = options.turns?.(this) ?? turnsAlone(this.#slices, () => this.openIds, this.#closed)
  }

  get size(): number {
    return this.#worlds.size
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

  /** The scenario that a reset loads. */
  get firstScenario(): Scenario {
    return this.#first
  }

  /** The tenants whose world is open, is being opened, or is set aside. */
  get openIds(): readonly string[] {
    return [...new Set([...this.#worlds.keys(), ...this.#opening, ...this.#setAside.keys()])]
  }

  /** Returns the world of a key, after finishing all work on it. Opens a new world for an unknown key. */
  ofKey(key: string): World {
    return this.atOnce(() => this.withWorld(this.idOf(key), (world) => world))
  }

  /**
   * Uses the world of a tenant as soon as all earlier work on it is done. Returns a promise only if that takes more than a
   * slice. In tenants that several mocks share, `use` may be called again.
   */
  withWorld<Result>(tenantId: string, use: Use<Result>): Result | Promise<Result> {
    return this.#turns.take(tenantId, () => this.use(tenantId, use), same)
  }

  /** Does the same without waiting for a turn. */
  use<Result>(tenantId: string, use: Use<Result>): Result | Promise<Result> {
    const world = this.#worlds.get(tenantId)
    // Most requests take this path: there is no work to wait for.
    if (world && !world.clock.isBehind && !this.#slices.isBusy(tenantId)) {
      const result = use(world)
      return isWork(result) ? this.#slices.run(tenantId, result) : result
    }
    return this.#slices.run(tenantId, this.#enterInSlices(tenantId, use))
  }

  *#enterInSlices<Result>(tenantId: string, use: Use<Result>): Work<Result> {
    // The archive may have events of a world that is used before the mock is ready.
    this.restore()
    const { reason } = this.#setAside.get(tenantId) ?? {}
    if (reason) throw reason
    const world = this.#worlds.get(tenantId) ?? (yield* this.#open(tenantId, this.#scenario))
    // If the archive refuses what is due, the state can still be read.
    yield* orLater(world.clock.runDue())
    const result = use(world)
    return isWork(result) ? yield* result : result
  }

  /** Calls `look` with the world of a tenant, as `withWorld` does, but once, and with what is stored. */
  readStored<Result>(tenantId: string, look: (world: World) => Result): Result | Promise<Result> {
    return this.#turns.take(tenantId, () => this.use<World>(tenantId, same), look)
  }

  /** Calls `look` with each world, as `readStored` does. */
  readEachStored(look: (world: World) => void): void | Promise<void> {
    return this.#forEach((tenantId) => this.readStored(tenantId, look))
  }

  /** Does the same as `withWorld` if the tenant has a world; otherwise calls `use` without one. */
  withWorldIfOpen<Result>(tenantId: string, use: (world: World | undefined) => Result): Result | Promise<Result> {
    return this.#turns.take(
      tenantId,
      () => (this.has(tenantId) ? this.use<Result>(tenantId, use) : use(undefined)),
      same,
    )
  }

  /** Changes the clock that new worlds follow. */
  changeClock(change: (clock: Clock) => void): void | Promise<void> {
    return this.#turns.changeDefaults(() => change(this.clock))
  }

  /** Prepares for looking at all tenants. */
  lookAround(): void | Promise<void> {
    return whenDone<void, void>(this.#turns.readDefaults(), () => this.readEachStored(() => {}))
  }

  /** The number of events of a world that are stored, and so may be shown. */
  shownEvents(world: World): number {
    return this.#turns.storedEvents(world)
  }

  /** Uses each world as `withWorld` does, including those that are being opened. */
  withEachWorld(use: Use<void>): void | Promise<void> {
    return this.#forEach((tenantId) => this.withWorld(tenantId, use))
  }

  /** Calls `call` with each tenant, a few at a time if that has to wait for other mocks. Passes over those that are set aside. */
  #forEach(call: (tenantId: string) => void | Promise<void>): void | Promise<void> {
    const ids = this.#turns.tenantIds()
    const many = ids instanceof Promise ? enteredAtOnce : Number.POSITIVE_INFINITY
    return whenDone<readonly string[], void>(ids, (all) => forEach(all, many, call))
  }

  /** Runs long work that changes no world. */
  inSlices<Result>(work: Work<Result>): Result | Promise<Result> {
    return this.#slices.run('', work)
  }

  /** Runs `call` synchronously: all work that it starts, and all earlier work on the same worlds, runs to its end. */
  atOnce<Result>(call: () => Result | Promise<Result>): Result {
    if (this.#archive.isShared) throw new TypeError(notAtOnce)
    return this.#slices.atOnce(call)
  }

  /** Returns the tenant identifier of a key, even if it has no world yet. */
  idOf(key: string): string {
    return this.#tenantIds.get(key) ?? this.#remember(key)
  }

  #remember(key: string): string {
    const tenantId = tenantIdOf(key)
    // Computing them again costs little, but keeping every key would fill the memory.
    if (this.#tenantIds.size >= mostKeys) {
      this.#tenantIds.clear()
      this.#keyEnds.clear()
    }
    this.#tenantIds.set(key, tenantId)
    this.#keyEnds.set(tenantId, key.slice(-Math.min(6, key.length / 2)))
    return tenantId
  }

  /** Returns the last characters of a tenant's key, by which people recognise it: at most 6, and half of it. Undefined until it is used. */
  keyEndOf(tenantId: string): string | undefined {
    return this.#keyEnds.get(tenantId)
  }

  /** Returns true if a tenant has a world, or had a world that was reset. */
  isKnown(tenantId: string): boolean | Promise<boolean> {
    return this.has(tenantId) || this.#turns.hasHistory(tenantId)
  }

  /** Checks whether a tenant has a world, or one that is set aside. */
  has(tenantId: string): boolean {
    return this.#worlds.has(tenantId) || this.#setAside.has(tenantId)
  }

  /** Returns the world of a tenant as it is, without running what is due in it; undefined if it has none. */
  findWorld(tenantId: string): World | undefined {
    this.#turns.noteLook(tenantId)
    return this.#worlds.get(tenantId)
  }

  /** Does the same for a mock that follows others, which is no look at it. */
  heldWorld(tenantId: string): World | undefined {
    return this.#worlds.get(tenantId)
  }

  /** Notes that a client has used a tenant. */
  noteUse(tenantId: string): void {
    const world = this.#worlds.get(tenantId)
    this.#uses += 1
    if (world) world.lastUse = this.#uses
  }

  /** Returns the open worlds, the latest used first, without running what is due in them. */
  latestUsed(): World[] {
    this.#turns.noteLook()
    return this.heldWorlds()
  }

  /** Does the same for a mock that follows others, which is no look at them. */
  heldWorlds(): World[] {
    return [...this.#worlds.values()].sort((one, other) => other.lastUse - one.lastUse)
  }

  #inTurn<Result>(tenantId: string, work: () => Work<Result>): Result | Promise<Result> {
    return this.#turns.take(tenantId, () => this.#slices.run(tenantId, work()), same)
  }

  /** Changes the settings of all current and future worlds. */
  setSettings(settings: Settings): void | Promise<void> {
    const change = this.#turns.changeDefaults(() => {
      this.#settings = settings
    })
    return whenDone<void, void>(change, () => this.withEachWorld((world) => world.changeSettings(settings)))
  }

  /** Loads a scenario into the world of a tenant, which keeps its clock and settings; or into all current and future worlds. */
  load(scenario: Scenario, tenantId?: string): void | Promise<void> {
    if (tenantId !== undefined) {
      return this.#inTurn(tenantId, () => this.#reopen(tenantId, scenario))
    }
    const change = this.#turns.changeDefaults(() => {
      this.#scenario = scenario
    })
    return whenDone<void, void>(change, () => this.#closeAll())
  }

  /**
   * Opens the world of a tenant with a past of its own. Throws a `DomainError` if the tenant has events already or the memory is
   * full, and any error of the past; nothing has changed then.
   */
  adopt(tenantId: string, replay: Past): World | Promise<World> {
    return this.#inTurn(tenantId, () => this.#adopt(tenantId, replay))
  }

  *#adopt(tenantId: string, replay: Past): Work<World> {
    this.restore()
    const before = this.#worlds.get(tenantId)
    if (before && before.journal.length > 0) throw tenantNotEmpty
    this.memory.requireSpace()
    const tenants = this
    return yield* this.#fill(this.#prepare(tenantId, emptyScenario), before ?? this, function* (world) {
      const now = yield* replay(world)
      yield* world.clock.pass(now)
      world.resume()
      if (tenants.has(tenantId)) tenants.#close(tenantId)
      tenants.#ownClocks.add(tenantId)
      return now
    })
  }

  /** Sets the scenario of the mock's start, which a reset loads again. Worlds restored from the archive are not affected. */
  startWith(scenario: Scenario): void {
    this.#first = scenario
    this.#scenario = scenario
    for (const tenantId of [...this.#worlds.keys()]) if (!this.#restored?.has(tenantId)) this.#close(tenantId)
  }

  /** Resets state, clock and settings: of the world of a tenant, or of all worlds. */
  reset(tenantId?: string): void | Promise<void> {
    if (tenantId !== undefined) {
      return this.#inTurn(tenantId, () => this.#closeInSlices(tenantId))
    }
    const change = this.#turns.changeDefaults(() => {
      const { startTime = Date.now(), clockSpeed } = this.#options
      this.clock.stop()
      this.#archive.forget(allTenants)
      this.clock.follow(startTime, clockSpeed)
      this.#settings = this.firstSettings
      this.#scenario = this.#first
    })
    return whenDone<void, void>(change, () =>
      // Stored last, so that the archive can empty its file first.
      whenDone<void, void>(this.#closeAll(), () => this.#keepClock(allTenants, this.clock.now(), this.clock.speed)),
    )
  }

  #closeAll(): void | Promise<void> {
    return this.#forEach((tenantId) => this.reset(tenantId))
  }

  *#closeInSlices(tenantId: string): Work {
    this.restore()
    if (this.has(tenantId)) this.#close(tenantId)
    // There may be many worlds to close.
    yield
  }

  *#reopen(tenantId: string, scenario: Scenario): Work {
    const before = this.#worlds.get(tenantId)
    this.#close(tenantId)
    yield* this.#open(tenantId, scenario, before)
  }

  /**
   * Restores all worlds from the archive again, without records that it could not store. Work that it refuses to store now is done
   * later. Settings stay.
   */
  rewind(): void {
    const before = [...this.#worlds.values()]
    for (const { tenantId } of before) this.drop(tenantId)
    this.#setAside.clear()
    this.#ownClocks.clear()
    this.#restored = undefined
    this.restore()
    for (const { tenantId, settings } of before) {
      const world = this.#worlds.get(tenantId)
      if (world) doAtOnce(orLater(world.changeSettings(settings)))
    }
  }

  /**
   * Restores all worlds from the archive without interruption, the first time it is called. Work that follows, and that the archive
   * refuses to store now, is done later. Throws an `ArchiveError` if the archive cannot be read.
   */
  restore(): void {
    if (this.#restored || this.#archive.isShared) return
    const { replayed, reading } = this.#replay()
    this.#restored = new Set(replayed.keys())
    if (reading) {
      this.clock.stop()
      this.clock.follow(Math.max(this.clock.now(), nowOf(reading)), this.#options.clockSpeed)
    }
    this.#keepClockSoon(allTenants, this.clock)
    for (const [tenantId, one] of replayed) this.#continue(tenantId, one)
    const used = new Set<string>()
    for (const world of this.#worlds.values()) for (const name of world.fileNames()) used.add(name)
    for (const aside of this.#setAside.values()) for (const name of aside.files) used.add(name)
    this.#files.setAside((_, name) => used.has(name))
  }

  /** Applies all records of the archive. Returns the worlds, and the reading of the clock of new ones. */
  #replay(): { replayed: ReadonlyMap<string, Replayed>; reading: ClockReading | undefined } {
    const replayed = new Map<string, Replayed>()
    let reading: ClockReading | undefined
    try {
      this.#archive.read((past) => {
        const { tenantId, record } = past
        const aside = this.#setAside.get(tenantId)
        if (tenantId === allTenants) {
          if ('mockTime' in record) reading = record
          else this.#options.onWarning?.(`The clock was not restored: ${flawOf(past)}. It shows the real time again.`)
        } else if (aside) {
          if ('file' in record && record.file !== undefined) aside.files.push(record.file)
        } else {
          const known = replayed.get(tenantId) ?? { opening: this.#prepare(tenantId, this.#scenario) }
          replayed.set(tenantId, known)
          const flaw = flawOf(past, known)
          if (flaw === undefined) return
          replayed.delete(tenantId)
          this.refuse(tenantId, flaw, known.opening.world)
        }
      })
    } catch (error) {
      for (const { opening } of replayed.values()) opening.world.close()
      throw error
    }
    return { replayed, reading }
  }

  /** Lets a world go on whose events were applied. */
  #continue(tenantId: string, { opening, reading: own }: Replayed): void {
    if (own) this.#ownClocks.add(tenantId)
    const { world, settle, release } = opening
    const [last] = world.journal.read(1)
    try {
      // A tenant that continues from an earlier state has a clock that is behind that of new worlds.
      world.clock.advance(Math.max(last?.at ?? 0, own ? nowOf(own) : this.clock.now()) - world.clock.now())
      doAtOnce(settle(world.clock.now()))
      world.resume()
      this.#place(world)
      doAtOnce(release(this.clock.speed, this.#settings))
    } catch (error) {
      if (error instanceof ArchiveError) throw error
      this.refuse(tenantId, `it cannot go on: ${error instanceof Error ? error.message : error}`, world)
    }
  }

  /**
   * Closes a world whose state is unknown. Its tenant is refused from now on, until it is reset or imported again; what is stored of
   * it stays, and other tenants are not affected.
   */
  refuse(tenantId: string, why: string, world = this.#worlds.get(tenantId)): void {
    if (this.#setAside.has(tenantId)) return
    const advice = 'Reset it with POST /__admin/reset, or import it again.'
    const reason = new DomainError('tenant-set-aside', `Tenant ${tenantId} is set aside: ${why}. ${advice}`)
    const files = [...(world?.fileNames() ?? [])]
    world?.close()
    this.#worlds.delete(tenantId)
    this.#setAside.set(tenantId, { reason, files })
    this.#options.onWarning?.(reason.message)
  }

  /** Stops all clocks and stores their readings. */
  stop(): void {
    this.#turns.stop()
    this.clock.stop()
    for (const { clock } of this.#worlds.values()) clock.stop()
    if (this.#isStopped) return
    doAtOnce(orLater(this.#keepClocks()))
    this.#isStopped = true
  }

  /** Opens a world that follows the records of another mock. */
  begin(tenantId: string, { scenario: name, at, approvers, generation }: Beginning, profile?: ProfileOf): void {
    const { world, join } = this.#prepare(tenantId, { name, profile }, at, approvers, generation)
    join()
    this.drop(tenantId)
    this.#place(world)
  }

  /** Moves aside the files of a tenant that a crashed mock has left behind. */
  setFilesAside(tenantId: string): void {
    const used = new Set(this.#worlds.get(tenantId)?.fileNames())
    this.#files.setAside((_, name) => used.has(name), tenantId)
  }

  /** Changes the settings and the scenario of new worlds alone. */
  follow(settings: Settings, scenario: Scenario): void {
    this.#settings = settings
    this.#scenario = scenario
  }

  /** Makes a world that is prepared the one of its tenant. */
  #place(world: World): void {
    // A shared world that begins, or that is read again, would draw identifiers from its first seed.
    if (this.#archive.isShared) world.reseed(drawSecret())
    this.#worlds.set(world.tenantId, world)
  }

  /** Closes the world of a tenant, and leaves the archive as it is. */
  drop(tenantId: string): void {
    this.#worlds.get(tenantId)?.close()
    this.#worlds.delete(tenantId)
    this.#setAside.delete(tenantId)
  }

  /** Removes files that no upload names any longer. */
  #removeFiles(tenantId: string, names: readonly string[]): void {
    this.#turns.whenStored(tenantId, () => this.#files.remove(tenantId, names))
  }

  *#keepClocks(): Work {
    this.#keepClock(allTenants, this.clock.now(), 0)
    for (const tenantId of this.#ownClocks) {
      yield
      const world = this.#worlds.get(tenantId)
      if (world) this.#keepClock(tenantId, world.clock.now(), 0)
    }
  }

  /** Stores a reading, so that a restart continues the clock: from its last time after a stop, as if it had run after a crash. */
  #keepClock(tenantId: string, mockTime: number, speed: number): void {
    this.#keepReading(tenantId, { mockTime, wallTime: Date.now(), speed })
  }

  /** Does the same for what a clock tells now. If the archive refuses, the reading is stored as soon as it does not. */
  #keepClockSoon(tenantId: string, clock: Clock): void {
    const reading = readingOf(clock)
    const keep = () => this.#keepReading(tenantId, reading)
    try {
      keep()
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      clock.at(reading.mockTime, keep)
    }
  }

  #keepReading(tenantId: string, reading: ClockReading): void {
    if (this.#archive === noArchive || this.#isStopped) return
    this.#archive.append(tenantId, [{ clock: reading }])
    if (tenantId !== allTenants) this.#ownClocks.add(tenantId)
  }

  *#open(tenantId: string, scenario: Scenario, like: Paced = this): Work<World> {
    this.memory.requireSpace()
    const now = like.clock.now()
    const { leadMs = 0, play } = scenario
    return yield* this.#fill(this.#prepare(tenantId, scenario, now - leadMs, 'auto'), like, function* (world) {
      const playing = play(world, now)
      if (isWork(playing)) yield* playing
      return now
    })
  }

  /** Fills a world and makes it the one of its tenant. `fill` returns the time at which its clock goes on, with the speed of `like`. */
  *#fill({ world, settle, release }: Opening, like: Paced, fill: (world: World) => Work<number>): Work<World> {
    const { tenantId } = world
    this.#opening.add(tenantId)
    try {
      yield* settle(yield* fill(world))
    } catch (error) {
      this.#removeFiles(tenantId, [...world.fileNames()])
      world.close()
      throw error
    } finally {
      this.#opening.delete(tenantId)
    }
    this.#place(world)
    yield* release(like.clock.speed, like.settings)
    return world
  }

  /** Prepares a world whose clock is stopped at `start`, so that a scenario or replay can add events of the past. */
  #prepare(
    tenantId: string,
    { name, profile }: Pick<Scenario, 'name'> & { readonly profile?: ProfileOf | undefined },
    start = 0,
    approvers: Settings['approvers'] = 'manual',
    generation = this.#newGeneration(),
  ): Opening {
    let isOpen = false
    const { seed, hashing, maxExecutions, pace, router } = this.#options
    const recorder = recorderOf(this.#archive, tenantId, { scenario: name, at: start, approvers, generation })
    const clock = new Clock({
      ...{ speed: 0, start, doWork: (work) => this.#turns.runDue(tenantId, work) },
      onMove: (mockTime, speed) => {
        if (isOpen) this.#keepClock(tenantId, mockTime, speed)
      },
    })
    const world: World = new World(tenantId, {
      ...{ seed, clock, generation, pace, router },
      secret: this.#secret,
      record: recorder.record,
      onUnusable: (error) => {
        if (isOpen) this.refuse(tenantId, error.message, world)
      },
      settings: { ...this.#settings, approvers },
      ...{ profile, hashing, maxExecutions },
      files: this.#files,
      memory: this.memory,
    })
    const keepOwnTime = () => {
      // Only if a restart could not derive its time from the clock of new worlds.
      const isOwn = this.#archive.isShared || this.#ownClocks.has(tenantId) || clock.now() > this.clock.now()
      if (isOwn) this.#keepClockSoon(tenantId, clock)
    }
    return {
      world,
      *settle(now) {
        yield* clock.pass(Math.max(0, now - clock.now()))
        recorder.settle()
      },
      *release(speed, settings) {
        yield* orLater(world.goOn())
        clock.start(speed)
        isOpen = true
        yield* orLater(world.changeSettings(settings))
        keepOwnTime()
      },
      join() {
        recorder.follow()
        isOpen = true
      },
    }
  }

  /** Returns a text that no other world of a tenant has: at random if other mocks open worlds, too. */
  #newGeneration(): string {
    if (this.#archive.isShared) return drawSecret()
    this.#generations += 1
    return String(this.#generations)
  }

  #close(tenantId: string): void {
    this.#archive.forget(tenantId)
    this.#ownClocks.delete(tenantId)
    if (!this.has(tenantId)) return
    const { files } = this.#setAside.get(tenantId) ?? { files: this.#worlds.get(tenantId)?.fileNames() ?? [] }
    this.#removeFiles(tenantId, [...files])
    this.drop(tenantId)
    if (this.#closed.size >= mostKeys) this.#closed.clear()
    this.#closed.add(tenantId)
  }
}

/**
 * Returns what passes the records of a world to the archive. All before `settle` are appended together: if opening the world fails,
 * none is there twice when it is opened again. After `follow`, those before are not appended, since they are there.
 */
function recorderOf(archive: Archive, tenantId: string, begin: Beginning) {
  // Without an archive, collecting the events of a long scenario would only fill the memory.
  let early: LogRecord[] | undefined = archive === noArchive ? undefined : archive.isShared ? [{ begin }] : []
  return {
    record(records: readonly LogRecord[]) {
      const [first] = records
      if (!archive.isShared && first && 'settings' in first) return
      if (!early) archive.append(tenantId, records)
      else for (const one of records) early.push(one)
    },
    settle() {
      if (early && early.length > 0) archive.append(tenantId, early)
      early = undefined
    },
    follow() {
      early = undefined
    },
  }
}

/** The number of tenants of several mocks that a call for all of them enters at the same time. */
const enteredAtOnce = 8

/** Calls `call` with each tenant, at most `many` at a time. Passes over those that are set aside. */
function forEach(
  tenantIds: readonly string[],
  many: number,
  call: (tenantId: string) => void | Promise<void>,
): void | Promise<void> {
  const left = tenantIds.values()
  const work = (): void | Promise<void> => {
    for (const tenantId of left) {
      try {
        const called = call(tenantId)
        if (called) return called.catch(passOverSetAside).then(work)
      } catch (error) {
        passOverSetAside(error)
      }
    }
  }
  const working = Array.from({ length: Math.min(many, tenantIds.length) }, work).filter((one) => one !== undefined)
  return working.length > 0 ? Promise.all(working).then(() => {}) : undefined
}

function passOverSetAside(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'tenant-set-aside')) throw error
}

/** Returns its argument. */
const same = <Value>(value: Value) => value

const notAtOnce =
  'This mock shares its state with others, so it cannot be changed without waiting. Use the admin API instead.'

/** Applies a record to a world. Returns why that is impossible, if it is. */
function flawOf({ record, line, later, laterCompletions }: PastRecord, known?: Replayed): string | undefined {
  const place = line === undefined ? '' : ` (line ${line} of the journal)`
  if ('unreadable' in record) return record.unreadable + place
  if (!known) return undefined
  if ('mockTime' in record) {
    known.reading = record
    return undefined
  }
  try {
    known.opening.world.apply(record, later, laterCompletions)
    return undefined
  } catch (error) {
    if (error instanceof UnusableEventError) return error.message + place
    throw error
  }
}

const tenantNotEmpty = new DomainError(
  'tenant-not-empty',
  'The key has a tenant with events already. Use another key, or reset its tenant.',
)

/** The number of keys whose identifiers are cached. */
const mostKeys = 10_000

/** Returns the tenant identifier of a key: 128 bits, in hexadecimal. It hides the key, since it is part of upload URLs. */
function tenantIdOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(`tenant:${key}`))).slice(0, 32)
}
