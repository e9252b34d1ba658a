import type { Time } from '../wire/transport.ts'
import type { ServerFunction } from './wrapper.ts'

/**
 * A time that passes only if everything waits, so that waits at the same time take the longest of them, and a test waits for
 * nothing. Requests take no time.
 */
export function parallelTime(inner: ServerFunction): { readonly time: Time; readonly fetch: ServerFunction } {
  let now = 0
  let open = 0
  let isLooking = false
  const sleepers: { readonly until: number; readonly wake: () => void }[] = []

  /** Lets the time pass once nothing else happens. */
  const look = (quiet = 0) => {
    isLooking = true
    setTimeout(() => {
      if (open > 0) return look()
      // Digests are computed on another thread, and what follows from an answer is sent a few turns later.
      if (quiet < quietTurns) return look(quiet + 1)
      isLooking = false
      sleepers.sort((a, b) => a.until - b.until)
      const next = sleepers.shift()
      if (!next) return
      now = Math.max(now, next.until)
      next.wake()
      look()
    }, 1)
  }

  return {
    time: {
      now: () => now,
      sleep: (ms) =>
        new Promise((wake) => {
          sleepers.push({ until: now + ms, wake })
          if (!isLooking) look()
        }),
    },
    async fetch(request) {
      open += 1
      try {
        return await inner(request)
      } finally {
        open -= 1
      }
    },
  }
}

const quietTurns = 4
