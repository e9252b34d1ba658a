import { doAtOnce, isWork, type Work } from './slices.ts'

/** A source of real time and timers for a clock. */
export interface Ticker {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `ms` milliseconds. Returns a function that cancels it. */
  wait(ms: number, run: () => void): () => void
}

const realTicker: Ticker = {
  // Unlike Date.now(), this never goes back when the system time is corrected.
  now: () => performance.timeOrigin + performance.now(),
  wait(ms, run) {
    const timer = setTimeout(run, ms)
    // In Node, a clock alone must not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Runs work that has become due without a call. */
export type DoWork = (work: Work) => void | Promise<void>

/**
 * The time at which every clock stops, in milliseconds since 1970. RFC 3339 has four digits for the year, and derived times,
 * such as the expiry of an upload URL, have to fit as well.
 */
export const endOfTime = Date.UTC(9999, 0)

/** The highest clock speed: a year passes in half a minute. */
export const fastest = 1_000_000

/** Throws a `RangeError` if a speed is out of range. */
export function mustBeSpeed(speed: number): void {
  if (speed >= 0 && speed <= fastest) return
  throw new RangeError(`The clock speed is ${speed}. Set a number from 0 to ${fastest}.`)
}

/** The delay before failed work is retried, in milliseconds. */
const retryMs = 1000
/** The longest delay of a timer, in milliseconds. */
const longestWait = 2 ** 31 - 1
/** Work that takes longer than this, in real milliseconds, stops the clock; otherwise a fast clock might never catch up. */
const longWork = 100

export interface ClockOptions {
  /** The speed as a multiple of real time; 0 means stopped. @default 1 */
  readonly speed?: number
  /** Time at the start, in milliseconds since 1970. @default now */
  readonly start?: number | undefined
  /** @default the real time */
  readonly ticker?: Ticker
  /** Runs work that has become due. @default immediately */
  readonly doWork?: DoWork
  /** Called before the clock is advanced or its speed changes. If it throws, the clock does not change. @default none */
  readonly onMove?: (mockTime: number, speed: number) => void
}

/**
 * The clock of a world, in milliseconds since 1970. It runs at real time (speed 1), faster, or is stopped (speed 0) until
 * it is advanced. Actions that are due run in the order of their times, each at its own time, and before any later time is
 * read; so time never goes back at any speed.
 */
export class Clock {
  readonly #ticker: Ticker
  readonly #alarms = new Alarms()
  readonly #doWork: DoWork
  readonly #onMove: (mockTime: number, speed: number) => void
  #speed: number
  /** The time of this clock at the real time `#anchor`. */
  #mockTime: number
  #anchor: number
  /** The time of the action that is running. */
  #pinned: number | undefined
  #stopWaiting = () => {}

  constructor(options: ClockOptions = {}) {
    const { speed = 1, ticker = realTicker, doWork = doAtOnce, onMove = () => {} } = options
    this.#ticker = ticker
    this.#doWork = doWork
    this.#onMove = onMove
    this.#speed = speed
    this.#anchor = ticker.now()
    this.#mockTime = options.start ?? Math.floor(this.#anchor)
  }

  /** The speed as a multiple of real time; 0 means stopped. */
  get speed(): number {
    return this.#speed
  }

  now(): number {
    if (this.#pinned !== undefined) return this.#pinned
    return Math.min(this.#mockTime + Math.floor((this.#ticker.now() - this.#anchor) * this.#speed), endOfTime)
  }

  /** True if an action is due. */
  get isBehind(): boolean {
    const { next } = this.#alarms
    // A later action must not overtake the one that is running.
    return next !== undefined && this.#pinned === undefined && next.at <= this.now()
  }

  /** The time of the next scheduled action, in milliseconds since 1970. */
  get nextAt(): number | undefined {
    return this.#alarms.next?.at
  }

  /** Changes the speed from now on. */
  setSpeed(speed: number): void {
    doAtOnce(this.changeSpeed(speed))
  }

  *changeSpeed(speed: number): Work {
    yield* this.runDue()
    this.start(speed)
  }

  /** Changes the speed without doing first what is due. */
  start(speed: number): void {
    this.#moveTo(this.now(), speed)
    this.#wait()
  }

  /**
   * Calls `run` at another time of this clock, to apply what happened then. Afterwards the time is at least that one. Sets no
   * timer; call `rearm` after the last one.
   */
  replay(time: number, run: () => void): void {
    const before = this.#pinned
    this.#pinned = time
    try {
      run()
    } finally {
      this.#pinned = before
    }
    if (time > this.now()) this.#set(time)
  }

  /** Sets the timer for what is scheduled now. */
  rearm(): void {
    this.#wait()
  }

  /** Continues at a time and speed that another clock of the same world has stored. Runs nothing. */
  follow(time: number, speed: number): void {
    this.#set(Math.min(time, endOfTime))
    this.#speed = speed
    this.#wait()
  }

  /** Schedules an action for a time, or for now if that has passed. Returns a function that cancels it. */
  at(time: number, run: Run): () => void {
    const alarm = this.#alarms.add(Math.min(Math.max(time, this.now()), endOfTime), run)
    if (this.#alarms.next === alarm) this.#wait()
    return () => this.#alarms.remove(alarm)
  }

  /** Moves the clock forward, at most to `endOfTime`, and runs everything due by then, in order, before it returns. */
  advance(ms: number): void {
    doAtOnce(this.pass(ms))
  }

  /** Does the same as interruptible work. While it is interrupted, the time is that of the last action. */
  *pass(ms: number): Work {
    const target = Math.min(this.now() + ms, endOfTime)
    yield* this.#runUntil(target)
    this.#moveTo(Math.max(target, this.now()), this.#speed)
    this.#wait()
  }

  /** Runs everything due by now. Call it before reading or changing a world. If an action throws, so does this, and it stays due. */
  catchUp(): void {
    if (this.isBehind) doAtOnce(this.runDue())
  }

  /** Does the same as interruptible work. */
  *runDue(): Work {
    if (!this.isBehind) return
    const begun = this.#ticker.now()
    const target = this.now()
    yield* this.#runUntil(target)
    if (this.#ticker.now() - begun > longWork) this.#set(target)
    this.#wait()
  }

  /** Cancels all scheduled actions. */
  stop(): void {
    this.#alarms.clear()
    this.#stopWaiting()
  }

  *#runUntil(time: number): Work {
    try {
      for (let { next } = this.#alarms; next && next.at <= time; { next } = this.#alarms) {
        this.#pinned = next.at
        // A failed action stays due.
        const work = next.run()
        if (isWork(work)) yield* work
        this.#alarms.remove(next)
        yield
      }
    } finally {
      const last = this.#pinned ?? 0
      this.#pinned = undefined
      // If an action fails before the clock is moved, those that have run must not be in the future.
      if (last > this.now()) this.#set(last)
    }
  }

  #moveTo(time: number, speed: number): void {
    this.#onMove(time, speed)
    this.#set(time)
    this.#speed = speed
  }

  #set(time: number): void {
    this.#mockTime = time
    this.#anchor = this.#ticker.now()
  }

  /** Sets a timer for the next action. */
  #wait(): void {
    this.#stopWaiting()
    const { next } = this.#alarms
    if (!next || this.#speed === 0 || this.#pinned !== undefined) return
    const ms = Math.ceil((next.at - this.now()) / this.#speed)
    this.#waitFor(Math.min(Math.max(ms, 0), longestWait))
  }

  #waitFor(ms: number): void {
    // There is no caller to report a failure to. The next request reports it, unless a retry has succeeded by then.
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

/** The action of an alarm; long actions return interruptible work. */
type Run = (() => void) | (() => Work)

/** An action that is scheduled for a time. */
interface Alarm {
  /** In milliseconds since 1970. */
  readonly at: number
  /** The order of creation: of two alarms at the same time, the older runs first. */
  readonly seq: number
  readonly run: Run
}

/** A queue of alarms. */
export class Alarms {
  /** Sorted: the next one is the last. */
  readonly #alarms: Alarm[] = []
  #made = 0

  /** The next alarm. */
  get next(): Alarm | undefined {
    return this.#alarms.at(-1)
  }

  add(at: number, run: Run): Alarm {
    const alarm = { at, seq: this.#made, run }
    this.#made += 1
    this.#alarms.splice(this.#placeOf(alarm), 0, alarm)
    return alarm
  }

  /** Removes an alarm, if it is still there. */
  remove(alarm: Alarm): void {
    const place = this.#placeOf(alarm)
    if (this.#alarms[place] === alarm) this.#alarms.splice(place, 1)
  }

  clear(): void {
    this.#alarms.length = 0
  }

  /** Returns the place of an alarm, or where it belongs, by bisection. */
  #placeOf({ at, seq }: Alarm): number {
    let [low, high] = [0, this.#alarms.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#alarms[middle]
      if (other && (other.at > at || (other.at === at && other.seq > seq))) low = middle + 1
      else high = middle
    }
    return low
  }
}
