import { type Clock, endOfTime } from './clock.ts'

/** The time of a clock and the real time at that moment, both in milliseconds since 1970. */
export interface ClockReading {
  readonly mockTime: number
  readonly wallTime: number
  /** The speed from then on, as a multiple of real time; 0 means stopped. */
  readonly speed: number
}

/** The tenant under which an archive stores the clock of new worlds. */
export const allTenants = ''

/** Returns what a clock shows now. */
export function readingOf(clock: Clock): ClockReading {
  return { mockTime: clock.now(), wallTime: Date.now(), speed: clock.speed }
}

/** Returns the time that a clock would show now if it had continued since a reading. It never showed a later time before. */
export function nowOf({ mockTime, wallTime, speed }: ClockReading): number {
  return Math.min(mockTime + Math.floor(Math.max(0, Date.now() - wallTime) * speed), endOfTime)
}
