import { UnavailableError } from '../archive.ts'
import { allTenants, type ClockReading, nowOf, readingOf } from '../clock-reading.ts'
import { UnusableEventError } from '../events.ts'
import type { Scenario } from '../scenario.ts'
import { drawSecret } from '../secret.ts'
import type { Settings } from '../settings.ts'
import { eventLoop } from '../slices.ts'
import type { Tenants } from '../tenants.ts'
import type { Turns } from '../turns.ts'
import type { World } from '../world.ts'
import type { OutgoingRecords } from './outgoing-records.ts'
import { type Channel, type Position, type Stream, type StreamRecord, start } from './stream.ts'

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** A call that waits for its round. */
interface Waiting {
  /** Is called again if another mock was first. */
  readonly run: () => unknown
  /** Is called once, with what `run` returned or threw, as soon as that holds. */
  readonly settle: (outcome: Outcome) => void
  /** True if no client waits for it. */
  readonly isTimer: boolean
}

/** The calls for one tenant, and what is known of its stream. */
interface Line {
  /** What the world of this mock has of the stream; the start if it was not read. */
  position: Position
  waiting: Waiting[]
  isRunning: boolean
  /** Until then, another mock is expected to write to this tenant, too; by `performance.now()`. */
  contendedUntil: number
  /** The number of events of the world that are stored. */
  shown: number
  /** The last time at which a call arrived; by `performance.now()`. */
  usedAt: number
  /** The last time at which the world was looked at without a call; by `performance.now()`. */
  lookedAt: number
}

/** The clock, settings and scenario that new worlds start with. */
interface Defaults {
  readonly reading: ClockReading | undefined
  readonly settings: Settings
  readonly scenario: Scenario
}

/** The most calls in one round. */
const mostAtOnce = 500
/** The number of times that a round is tried again because another mock was first. */
const mostTries = 20
/** The time for which writes of another mock to a tenant are expected after the last one, in milliseconds. */
const contentionMs = 5000
/** The time that an alarm may be overdue before any mock takes care of it, and the time between two looks, in milliseconds. */
const overdueMs = 1000
/** The time for which news are fetched after a look at a tenant, in milliseconds. */
const watchMs = 2000
/** The time after which a tenant without calls is dropped from memory, in milliseconds. */
const idleMs = 10 * 60_000

const busy = new UnavailableError('Another mock runs the timers of this tenant.')

/**
 * Gives turns to calls for tenants that several mocks share through streams of records: in rounds, one round of a tenant at a time. A
 * round decides all waiting calls on the known state, then appends the records that they cause, and only then answers them. The
 * append fails if the stream has become longer; the state is then built again, and the calls are decided again. A round without
 * records asks for the position of the stream instead. So each answer rests on the state at a moment after its call.
 */
export class Rounds implements Turns {
  readonly #stream: Stream
  /** Has what the worlds store. */
  readonly #outgoing: OutgoingRecords
  readonly #tenants: Tenants
  /** The scenarios that other mocks may have played, by name. */
  readonly #scenarios: Readonly<Record<string, Scenario>>
  readonly #lines = new Map<string, Line>()
  #defaults: Defaults
  #defaultsAt = start
  /** The last change or reading of the defaults, which the next one waits for. */
  #defaultsTurn: Promise<unknown> = Promise.resolve()
  #stopLooking = () => {}
  /** What is to be done once the records of a round are stored, by tenant. */
  readonly #whenStored = new Map<string, (() => void)[]>()

  constructor(
    stream: Stream,
    outgoing: OutgoingRecords,
    tenants: Tenants,
    scenarios: Readonly<Record<string, Scenario>>,
  ) {
    this.#stream = stream
    this.#outgoing = outgoing
    this.#tenants = tenants
    this.#scenarios = scenarios
    this.#defaults = { reading: undefined, settings: tenants.settings, scenario: tenants.firstScenario }
    // Those that were not used for the longest time: half of those that are idle.
    tenants.memory.onFull(() => {
      const idle = this.#idle()
      this.#evict(idle.slice(Math.floor(idle.length / 2)))
    })
    stream.onNews((tenantId) => this.#hear(tenantId))
  }

  /** Takes over what other mocks have stored about new worlds, or stores it as the first one. Starts to look after alarms. */
  async open(): Promise<void> {
    await this.#inTurn(async () => {
      while (!this.#defaults.reading) {
        await this.#readDefaults()
        if (!this.#defaults.reading) await this.#storeDefaults()
      }
    })
    this.#lookAfterAlarms()
  }

  take<Value, Result>(
    tenantId: string,
    run: () => Value | Promise<Value>,
    finish: (value: Value) => Result,
  ): Promise<Result> {
    return this.#ask(tenantId, run, (value) => finish(value as Value))
  }

  runDue(tenantId: string): Promise<void> {
    return this.#enter(tenantId, true)
  }

  #enter(tenantId: string, isTimer: boolean): Promise<void> {
    const done = () => {}
    return this.#ask(tenantId, () => this.#tenants.use(tenantId, done), done, isTimer)
  }

  whenStored(tenantId: string, act: () => void): void {
    this.#whenStored.set(tenantId, [...(this.#whenStored.get(tenantId) ?? []), act])
  }

  tenantIds(): Promise<readonly string[]> {
    return this.#stream.tenants()
  }

  async hasHistory(tenantId: string): Promise<boolean> {
    return (await this.#stream.position(tenantId)).at > 0
  }

  storedEvents({ tenantId }: World): number {
    return this.#lines.get(tenantId)?.shown ?? 0
  }

  noteLook(tenantId?: string): void {
    const lines = tenantId === undefined ? this.#lines.values() : [this.#lines.get(tenantId)]
    for (const line of lines) if (line) line.lookedAt = performance.now()
  }

  readDefaults(): Promise<void> {
    return this.#inTurn(() => this.#readDefaults())
  }

  changeDefaults(change: () => void): Promise<void> {
    return this.#inTurn(async () => {
      do {
        await this.#readDefaults()
        change()
      } while (!(await this.#storeDefaults()))
    })
  }

  stop(): void {
    this.#stopLooking()
  }

  /** Calls `run` in a round of a tenant, and `finish` with its result once that holds. */
  #ask<Result>(
    tenantId: string,
    run: () => unknown,
    finish: (value: unknown) => Result,
    isTimer = false,
  ): Promise<Result> {
    const known = this.#lines.get(tenantId)
    const line = known ?? {
      ...{ position: start, waiting: [], isRunning: false, shown: 0, usedAt: 0 },
      ...{ contendedUntil: Number.NEGATIVE_INFINITY, lookedAt: Number.NEGATIVE_INFINITY },
    }
    line.usedAt = performance.now()
    if (!known) this.#lines.set(tenantId, line)
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => {
        if ('error' in outcome) return reject(outcome.error)
        try {
          resolve(finish(outcome.value))
        } catch (error) {
          reject(error)
        }
      }
      line.waiting.push({ run, settle, isTimer })
      if (!line.isRunning) this.#work(tenantId, line)
    })
  }

  async #work(tenantId: string, line: Line): Promise<void> {
    line.isRunning = true
    while (line.waiting.length > 0) {
      // Requests that have arrived are read first, since a round costs as much as many calls.
      await turn()
      const calls = line.waiting.splice(0, mostAtOnce)
      try {
        await this.#round(tenantId, line, calls)
      } catch (error) {
        // The world may be ahead of its stream.
        if (error !== busy) this.#forget(tenantId, line)
        for (const { settle } of calls) settle({ error })
      }
    }
    line.isRunning = false
    if (!this.#tenants.has(tenantId)) this.#lines.delete(tenantId)
  }

  async #round(tenantId: string, line: Line, calls: readonly Waiting[]): Promise<void> {
    let isDone = false
    let isBehind = false
    const attempt = (isFirst: boolean) => async (channel: Channel) => {
      isDone = await this.#attempt(tenantId, line, calls, channel, isFirst)
      isBehind = !isDone
    }
    if (calls.every(({ isTimer }) => isTimer)) {
      // Other mocks run the timers, or there was a call in the meantime; then this mock looks again a little later.
      if (!(await this.#stream.exclusively(tenantId, false, attempt(true))) || !isDone) throw busy
      return
    }
    for (let tries = 0; tries < mostTries; tries += 1) {
      const isContended = performance.now() < line.contendedUntil
      if (isContended) await this.#stream.exclusively(tenantId, true, attempt(true))
      else await attempt(isBehind)(this.#stream)
      if (isDone) return
    }
    throw new UnavailableError('Other mocks write to this tenant all the time. Try again.')
  }

  /** Decides all calls and stores what they cause. Returns false if another mock was first; then nothing holds. */
  async #attempt(
    tenantId: string,
    line: Line,
    calls: readonly Waiting[],
    channel: Channel,
    catchesUp: boolean,
  ): Promise<boolean> {
    const isFresh = catchesUp || line.position.at === 0
    if (isFresh) await this.#catchUp(tenantId, line, channel)
    if (!this.#tenants.has(tenantId)) await this.#inTurn(() => this.#readDefaults())
    const defaultsAt = this.#defaultsAt
    // Identifiers of a round that was not stored are never given again.
    this.#tenants.heldWorld(tenantId)?.reseed(drawSecret())
    const outcomes: Outcome[] = []
    for (const { run } of calls) {
      const outcome = outcomeOf(run)
      // Most calls are decided at once.
      outcomes.push(outcome instanceof Promise ? await outcome : outcome)
    }
    // Nothing of the round is stored then, so the next one starts from what was there before.
    for (const { error } of outcomes as { error?: unknown }[]) if (error instanceof UnusableEventError) throw error
    const records = this.#outgoing.take(tenantId)
    if (records.length > 0) {
      const begins = records.some((record) => 'begin' in record)
      const addition = {
        ...{ tenantId, after: line.position, records },
        ...{ due: this.#dueOf(tenantId), isOpen: this.#tenants.has(tenantId) },
        ...(begins && { defaultsAt }),
      }
      const position = await channel.append(addition)
      if (!position) {
        this.#forget(tenantId, line)
        line.contendedUntil = performance.now() + contentionMs
        return false
      }
      for (const act of this.#whenStored.get(tenantId) ?? []) act()
      this.#whenStored.delete(tenantId)
      line.position = position
    } else if (!isFresh && !isSame(await this.#stream.position(tenantId), line.position)) return false
    line.shown = this.#tenants.heldWorld(tenantId)?.journal.length ?? 0
    for (const [index, { settle }] of calls.entries()) settle(outcomes[index] as Outcome)
    return true
  }

  async #catchUp(tenantId: string, line: Line, channel: Channel): Promise<void> {
    const before = line.position
    if (before.at === 0) this.#tenants.memory.requireSpace()
    const read = () => channel.read(tenantId, line.position, (records, later) => this.#follow(tenantId, records, later))
    let position = await read()
    while (!position) {
      this.#forget(tenantId, line)
      position = await read()
    }
    if (before.at > 0 && !isSame(position, before)) line.contendedUntil = performance.now() + contentionMs
    if (line.position.at === 0) this.#tenants.setFilesAside(tenantId)
    line.position = position
  }

  /** Applies records that another mock has stored, or this one earlier. `later` is the number of records that follow them. */
  #follow(tenantId: string, records: readonly StreamRecord[], later: number): void {
    for (const [index, record] of records.entries()) {
      if ('forget' in record) this.#tenants.drop(tenantId)
      else if ('begin' in record)
        this.#tenants.begin(tenantId, record.begin, this.#scenarioOf(record.begin.scenario)?.profile)
      else if ('scenario' in record) continue
      else this.#apply(tenantId, record, later + records.length - index - 1)
    }
    // What is planned by now may be due earlier than before.
    this.#tenants.heldWorld(tenantId)?.clock.rearm()
  }

  /** Applies a record to the world that it is about, at its time. Sets the tenant aside if that is impossible. */
  #apply(tenantId: string, record: WorldRecord, later: number): void {
    const world = this.#tenants.heldWorld(tenantId)
    if (!world) {
      this.#tenants.refuse(tenantId, 'its first record is no beginning')
      return
    }
    const { clock } = world
    if ('clock' in record) clock.follow(nowOf(record.clock), record.clock.speed)
    else if ('settings' in record) clock.replay(record.at, () => world.followSettings(record.settings))
    else {
      try {
        clock.replay(record.at, () => world.apply(record, later))
      } catch (error) {
        // The world has set its tenant aside.
        if (!(error instanceof UnusableEventError)) throw error
      }
    }
  }

  #scenarioOf(name: string): Scenario | undefined {
    return Object.hasOwn(this.#scenarios, name) ? this.#scenarios[name] : undefined
  }

  /** Drops what this mock has of a tenant. The stream still has everything that was answered. */
  #forget(tenantId: string, line: Line): void {
    this.#outgoing.take(tenantId)
    this.#whenStored.delete(tenantId)
    this.#tenants.drop(tenantId)
    Object.assign(line, { position: start, shown: 0 })
  }

  /** Returns when the next alarm of a tenant is due, by the real clock. */
  #dueOf(tenantId: string): number | undefined {
    const clock = this.#tenants.heldWorld(tenantId)?.clock
    if (clock?.nextAt === undefined || clock.speed === 0) return undefined
    const ms = Math.max(0, clock.nextAt - clock.now()) / clock.speed
    return Math.min(Math.ceil(Date.now() + ms), Number.MAX_SAFE_INTEGER)
  }

  /** Drops tenants from memory that had no calls for some time, in milliseconds. The stream still has everything. */
  evictIdle(ms = idleMs): void {
    const before = performance.now() - ms
    const isUnused = ({ usedAt, lookedAt }: Line) => Math.max(usedAt, lookedAt) <= before
    this.#evict(this.#idle().filter((tenantId) => isUnused(this.#lines.get(tenantId) as Line)))
  }

  /** Returns the tenants that no call waits for, the latest used first. */
  #idle(): string[] {
    const tenantIds = this.#tenants.heldWorlds().map(({ tenantId }) => tenantId)
    return tenantIds.filter((tenantId) => this.#lines.get(tenantId)?.isRunning === false)
  }

  #evict(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) {
      this.#tenants.drop(tenantId)
      this.#lines.delete(tenantId)
    }
  }

  /** Fetches what another mock has stored for a tenant, if it was looked at recently. */
  #hear(tenantId: string): void {
    const line = this.#lines.get(tenantId)
    if (!line || performance.now() - line.lookedAt > watchMs) return
    this.#enter(tenantId, false).catch(toldByNextCall)
  }

  #lookAfterAlarms(): void {
    const look = async () => {
      this.evictIdle()
      for (const tenantId of await this.#stream.overdue(Date.now() - overdueMs)) {
        await this.runDue(tenantId).catch(toldByNextCall)
      }
    }
    let isStopped = false
    const again = () => {
      if (isStopped) return
      const timer = setTimeout(() => look().catch(toldByNextCall).then(again), overdueMs)
      // In Node, looking alone must not keep the process alive.
      if (typeof timer === 'object') timer.unref()
    }
    this.#stopLooking = () => {
      isStopped = true
    }
    again()
  }

  /** Runs `call` after all earlier ones, since there is one set of defaults. */
  #inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
    const turn = this.#defaultsTurn.then(call)
    this.#defaultsTurn = turn.catch(toldByNextCall)
    return turn
  }

  async #readDefaults(): Promise<void> {
    const position = await this.#stream.read(allTenants, this.#defaultsAt, (records) => {
      for (const record of records) {
        if ('clock' in record) this.#defaults = { ...this.#defaults, reading: record.clock }
        if ('settings' in record) this.#defaults = { ...this.#defaults, settings: record.settings }
        if ('scenario' in record) {
          const scenario = this.#scenarioOf(record.scenario) ?? this.#tenants.firstScenario
          this.#defaults = { ...this.#defaults, scenario }
        }
      }
    })
    this.#defaultsAt = position ?? start
    if (!position) return this.#readDefaults()
    const { reading, settings, scenario } = this.#defaults
    if (reading) this.#tenants.clock.follow(nowOf(reading), reading.speed)
    this.#tenants.follow(settings, scenario)
  }

  /** Stores what new worlds start with. Resolves with false if another mock was first. */
  async #storeDefaults(): Promise<boolean> {
    this.#outgoing.take(allTenants)
    const { clock, settings, scenario } = this.#tenants
    const reading = readingOf(clock)
    const records = [
      { forget: true },
      { clock: reading },
      { settings, at: reading.mockTime },
      { scenario: scenario.name },
    ] as const
    const after = this.#defaultsAt
    const position = await this.#stream.append({ tenantId: allTenants, after, records, due: undefined, isOpen: false })
    if (!position) return false
    this.#defaultsAt = position
    this.#defaults = { reading, settings, scenario }
    return true
  }
}

/** A record about a world that has begun. */
type WorldRecord = Exclude<StreamRecord, { begin: unknown } | { forget: true } | { scenario: string }>

function isSame(one: Position, other: Position): boolean {
  return one.batch === other.batch
}

/** Resolves after the tasks of the event loop that are already waiting. */
function turn(): Promise<void> {
  return new Promise((resolve) => eventLoop.later(resolve))
}

function outcomeOf(run: () => unknown): Outcome | Promise<Outcome> {
  const failed = (error: unknown) => ({ error })
  try {
    const value = run()
    return value instanceof Promise ? value.then((result) => ({ value: result }), failed) : { value }
  } catch (error) {
    return failed(error)
  }
}

/** Ignores an error that the next call meets again. */
function toldByNextCall(): void {}
