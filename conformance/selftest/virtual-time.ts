import type { Time } from '../wire/transport.ts'

/** A time that passes by waiting alone, so that a test waits for nothing. */
export function virtualTime(): Time {
  let now = 0
  return {
    now: () => now,
    async sleep(ms) {
      now += ms
    },
  }
}
