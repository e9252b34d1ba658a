import { endOfTime } from './clock.ts'

/** What a clock told, and at which real time; both in milliseconds since 1970. */
export interface ClockReading {
  readonly told: number
  readonly real: number
  /** Times faster than the real time from then on; 0 stands still. */
  readonly speed: number
}

/** The name that an archive knows the clock of new worlds by. */
export const allTenants = ''

/** What a clock would tell now if it had gone on since a reading. Before it was stopped or killed, it told nothing later. */
export function nowOf({ told, real, speed }: ClockReading): number {
  return Math.min(told + Math.floor(Math.max(0, Date.now() - real) * speed), endOfTime)
}
