import { expect, onTestFinished, vi } from 'vitest'

/** Stops the timers of this test, and starts them again when it has ended. */
export function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

/** Expects that what is under way waits for `ms` milliseconds of the fake time and for no more. */
export async function mustWait(promise: Promise<unknown>, ms: number): Promise<void> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  // What comes before the timer may be done in any number of turns of the event loop.
  while (vi.getTimerCount() === 0 && !isSettled) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(isSettled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await promise.then(settle, settle)
}
