import type { Time } from '../wire/transport.ts'
import type { ServerFunction } from './wrapper.ts'

/**
 * Creates a time that advances only while everything waits. Parallel waits take as long as the longest of them, requests take no
 * time, and a test needs no real waiting.
 */
export function parallelTime(inner: ServerFunction): { readonly time: Time; readonly fetch: ServerFunction } {
  let now = 0
  let open = 0
  let isWatching = false
  const sleepers: { readonly until: number; readonly wake: () => void }[] = []

  /** Advances the time once no request is in flight. */
  const advanceWhenIdle = (quiet = 0) => {
    isWatching = true
    setTimeout(() => {
      if (open > 0) return advanceWhenIdle()
      // Digests are computed on another thread, so the next request may follow an answer only a few turns later.
      if (quiet < quietTurns) return advanceWhenIdle(quiet + 1)
      isWatching = false
      sleepers.sort((a, b) => a.until - b.until)
      const next = sleepers.shift()
      if (!next) return
      now = Math.max(now, next.until)
      next.wake()
      advanceWhenIdle()
    }, 1)
  }

  return {
    time: {
      now: () => now,
      sleep: (ms) =>
        new Promise((wake) => {
          sleepers.push({ until: now + ms, wake })
          if (!isWatching) advanceWhenIdle()
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
