import { Alarms, type Run } from './alarms.ts'
import { doAtOnce, isWork, type Work } from './slices.ts'

/** Where a clock takes the real time from, and how it waits. */
export interface Ticker {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs once after so many milliseconds; gives back what stops it. */
  wait(ms: number, run: () => void): () => void
}

const realTicker: Ticker = {
  // Date.now() goes back when the system's time is corrected; this does not.
  now: () => performance.timeOrigin + performance.now(),
  wait(ms, run) {
    const timer = setTimeout(run, ms)
    // In Node, a clock alone keeps no process alive.
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Does work of a clock that nobody has asked for: what comes due by itself. */
export type DoWork = (work: Work) => void | Promise<void>

/**
 * Where every clock stops, in milliseconds since 1970: RFC 3339 has four digits for the year, and what follows from a
 * time, such as when an upload URL expires, has to fit too.
 */
export const endOfTime = Date.UTC(9999, 0)

/** The highest clock speed: a year passes in half a minute. */
const fastest = 1_000_000

/** Throws a `RangeError` if a speed is out of range. */
export function mustBeSpeed(speed: number): void {
  if (speed >= 0 && speed <= fastest) return
  throw new RangeError(`The clock speed is ${speed}. Set a number from 0 to ${fastest}.`)
}

/** How long what has failed waits before it is tried again by itself, in milliseconds. */
const retryMs = 1000
/** The longest wait that timers take, in milliseconds. */
const longestWait = 2 ** 31 - 1
/** Work that takes longer than this holds the time up, in real milliseconds; else a fast clock might never catch up. */
const longWork = 100

export interface ClockOptions {
  /** Times faster than the real time; 0 stands still. @default 1 */
  readonly speed?: number
  /** Time at the start, in milliseconds since 1970. @default now */
  readonly start?: number
  /** @default the real time */
  readonly ticker?: Ticker
  /** Does what comes due by itself. @default at once */
  readonly doWork?: DoWork
  /** Called before it is advanced or its speed changes. If it throws, neither happens. @default does nothing */
  readonly onMove?: (told: number, speed: number) => void
}

/**
 * Tells the time of a world, in milliseconds since 1970, and runs what is due. It goes with the real time (speed 1),
 * faster, or stands still (speed 0) until it is advanced. Whatever is due runs in the order of its time, at its own time,
 * and before anything later is asked for; so time never goes back, whatever the speed.
 */
export class Clock {
  readonly #ticker: Ticker
  readonly #alarms = new Alarms()
  readonly #doWork: DoWork
  readonly #onMove: (told: number, speed: number) => void
  #speed: number
  /** The time that was told at the real time `#anchor`. */
  #told: number
  #anchor: number
  /** The time while something due runs. */
  #pinned: number | undefined
  #stopWaiting = () => {}

  constructor(options: ClockOptions = {}) {
    const { speed = 1, ticker = realTicker, doWork = doAtOnce, onMove = () => {} } = options
    this.#ticker = ticker
    this.#doWork = doWork
    this.#onMove = onMove
    this.#speed = speed
    this.#anchor = ticker.now()
    this.#told = options.start ?? Math.floor(this.#anchor)
  }

  /** Times faster than the real time; 0 stands still. */
  get speed(): number {
    return this.#speed
  }

  now(): number {
    if (this.#pinned !== undefined) return this.#pinned
    return Math.min(this.#told + Math.floor((this.#ticker.now() - this.#anchor) * this.#speed), endOfTime)
  }

  /** Whether something is due. */
  get isBehind(): boolean {
    const { next } = this.#alarms
    // Nothing that runs at its time may be overtaken by what is due later.
    return next !== undefined && this.#pinned === undefined && next.at <= this.now()
  }

  /** Changes the speed from now on. */
  setSpeed(speed: number): void {
    doAtOnce(this.changeSpeed(speed))
  }

  *changeSpeed(speed: number): Work {
    yield* this.runDue()
    this.#moveTo(this.now(), speed)
    this.#wait()
  }

  /** Runs something at a time, or at once if that has passed; returns what cancels it. */
  at(time: number, run: Run): () => void {
    const alarm = this.#alarms.add(Math.min(Math.max(time, this.now()), endOfTime), run)
    if (this.#alarms.next === alarm) this.#wait()
    return () => this.#alarms.remove(alarm)
  }

  /** Moves the time forward, to the end of time at most, and runs everything that is due by then, in order, before it returns. */
  advance(ms: number): void {
    doAtOnce(this.pass(ms))
  }

  /** The same as work that can be interrupted. Meanwhile the time is that of what ran last. */
  *pass(ms: number): Work {
    const target = Math.min(this.now() + ms, endOfTime)
    yield* this.#runUntil(target)
    this.#moveTo(Math.max(target, this.now()), this.#speed)
    this.#wait()
  }

  /** Runs what is due by now. Call it before reading or changing a world. Throws what something due throws, which then stays due. */
  catchUp(): void {
    if (this.isBehind) doAtOnce(this.runDue())
  }

  /** The same as work that can be interrupted. */
  *runDue(): Work {
    if (!this.isBehind) return
    const begun = this.#ticker.now()
    const target = this.now()
    yield* this.#runUntil(target)
    if (this.#ticker.now() - begun > longWork) this.#set(target)
    this.#wait()
  }

  /** Forgets everything that was to run. */
  stop(): void {
    this.#alarms.clear()
    this.#stopWaiting()
  }

  *#runUntil(time: number): Work {
    try {
      for (let { next } = this.#alarms; next && next.at <= time; { next } = this.#alarms) {
        this.#pinned = next.at
        // What fails stays due.
        const work = next.run()
        if (isWork(work)) yield* work
        this.#alarms.remove(next)
        yield
      }
    } finally {
      const last = this.#pinned ?? 0
      this.#pinned = undefined
      // If something fails before the clock is moved, what has run must not be in the future.
      if (last > this.now()) this.#set(last)
    }
  }

  #moveTo(time: number, speed: number): void {
    this.#onMove(time, speed)
    this.#set(time)
    this.#speed = speed
  }

  #set(time: number): void {
    this.#told = time
    this.#anchor = this.#ticker.now()
  }

  /** Waits in real time for the next thing that is due. */
  #wait(): void {
    this.#stopWaiting()
    const { next } = this.#alarms
    if (!next || this.#speed === 0 || this.#pinned !== undefined) return
    const ms = Math.ceil((next.at - this.now()) / this.#speed)
    this.#waitFor(Math.min(Math.max(ms, 0), longestWait))
  }

  #waitFor(ms: number): void {
    // Nobody is there to be told; the next request is, since it fails again then, unless it has come about by itself.
    const retry = () => this.#waitFor(retryMs)
    this.#stopWaiting = this.#ticker.wait(ms, () => {
      try {
        this.#doWork(this.runDue())?.catch(retry)
      } catch {
        retry()
      }
    })
  }
}
