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

export interface ClockOptions {
  /** Times faster than the real time; 0 stands still. @default 1 */
  readonly speed?: number
  /** What it tells first, in milliseconds since 1970. @default the real time */
  readonly start?: number
  /** @default the real time */
  readonly ticker?: Ticker
  /** Called before it is advanced or its speed changes. If it throws, neither happens. @default does nothing */
  readonly onMove?: (told: number, speed: number) => void
}

interface Alarm {
  readonly at: number
  readonly run: () => void
}

/**
 * Where every clock stops, in milliseconds since 1970: RFC 3339 has four digits for the year, and what follows from a
 * time, such as when an upload URL expires, has to fit too.
 */
export const endOfTime = Date.UTC(9999, 0)

/** The fastest that a clock goes: a year in half a minute. */
const fastest = 1_000_000

/** Throws a `RangeError` where a speed cannot be meant. */
export function mustBeSpeed(speed: number): void {
  if (speed >= 0 && speed <= fastest) return
  throw new RangeError(`Failed to set the clock's speed: because it is ${speed}. Give 0 to ${fastest}.`)
}

/** How long what has failed waits before it is tried again by itself, in milliseconds. */
const retryMs = 1000
/** The longest wait that timers take, in milliseconds. */
const longestWait = 2 ** 31 - 1

/**
 * Tells the time of a world, in milliseconds since 1970, and runs what is due. It goes with the real time (speed 1),
 * faster, or stands still (speed 0) until it is advanced. Whatever is due runs in the order of its time, at its own time,
 * and before anything later is asked for; so time never goes back, whatever the speed.
 */
export class Clock {
  readonly #ticker: Ticker
  readonly #alarms: Alarm[] = []
  readonly #onMove: (told: number, speed: number) => void
  #speed: number
  /** The time that was told at the real time `#anchor`. */
  #told: number
  #anchor: number
  /** The time while something due runs. */
  #pinned: number | undefined
  #stopWaiting = () => {}

  constructor(options: ClockOptions = {}) {
    const { speed = 1, ticker = realTicker, onMove = () => {} } = options
    this.#ticker = ticker
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

  /** Changes the speed from now on. */
  setSpeed(speed: number): void {
    this.catchUp()
    this.#moveTo(this.now(), speed)
    this.#wait()
  }

  /** Runs something at a time, or at once if that has passed; gives back what cancels it. */
  at(time: number, run: () => void): () => void {
    const alarm = { at: Math.min(Math.max(time, this.now()), endOfTime), run }
    // Kept in order; alarms mostly come in that order, so the place is near the end.
    let index = this.#alarms.length
    while (index > 0 && (this.#alarms[index - 1]?.at ?? 0) > alarm.at) index -= 1
    this.#alarms.splice(index, 0, alarm)
    if (index === 0) this.#wait()
    return () => this.#forget(alarm)
  }

  /** Moves the time forward, to the end of time at most, and runs everything that is due by then, in order, before it returns. */
  advance(ms: number): void {
    const target = Math.min(this.now() + ms, endOfTime)
    this.#runUntil(target)
    this.#moveTo(Math.max(target, this.now()), this.#speed)
    this.#wait()
  }

  /** Runs what is due by now. Whoever reads or changes a world calls it first. Throws what something due throws, which then stays due. */
  catchUp(): void {
    const next = this.#alarms[0]
    // Nothing that runs at its time may be overtaken by what is due later.
    if (!next || this.#pinned !== undefined || next.at > this.now()) return
    this.#runDue()
  }

  /** Forgets everything that was to run. */
  stop(): void {
    this.#alarms.length = 0
    this.#stopWaiting()
  }

  #runDue(): void {
    this.#runUntil(this.now())
    this.#wait()
  }

  #runUntil(time: number): void {
    try {
      for (let next = this.#alarms[0]; next && next.at <= time; next = this.#alarms[0]) {
        this.#pinned = next.at
        // What fails stays due.
        next.run()
        this.#forget(next)
      }
    } finally {
      const last = this.#pinned ?? 0
      this.#pinned = undefined
      // If something fails before the clock is moved, what has run must not be in the future.
      if (last > this.now()) this.#set(last)
    }
  }

  #forget(alarm: Alarm): void {
    const found = this.#alarms.indexOf(alarm)
    if (found >= 0) this.#alarms.splice(found, 1)
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
    const next = this.#alarms[0]
    if (!next || this.#speed === 0 || this.#pinned !== undefined) return
    const ms = Math.ceil((next.at - this.now()) / this.#speed)
    this.#waitFor(Math.min(Math.max(ms, 0), longestWait))
  }

  #waitFor(ms: number): void {
    this.#stopWaiting = this.#ticker.wait(ms, () => {
      try {
        this.#runDue()
      } catch {
        // Nobody is there to be told; whoever asks next is, for it fails again then, unless it has come about by itself.
        this.#waitFor(retryMs)
      }
    })
  }
}
