/** Tells the time, in milliseconds since 1970. Everything that asks the time asks a clock. */
export interface Clock {
  now(): number
}

export const realClock: Clock = { now: () => Date.now() }

/** A clock that stands still until it is advanced. */
export function manualClock(start: number): Clock & { advance(ms: number): void } {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}
