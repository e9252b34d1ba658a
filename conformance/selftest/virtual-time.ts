import type { Time } from '../wire/transport.ts'

/** Creates a time that advances only by `sleep`, so that tests need no real waiting. */
export function virtualTime(): Time {
  let now = 0
  return {
    now: () => now,
    async sleep(ms) {
      now += ms
    },
  }
}
