import { expect, onTestFinished, vi } from 'vitest'

/** Uses fake timers until the current test ends. */
export function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

/** Asserts that a pending operation ends after exactly `ms` milliseconds of fake time. */
export async function mustWait(promise: Promise<unknown>, ms: number): Promise<void> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  // The work before the timer may take any number of turns of the event loop.
  while (vi.getTimerCount() === 0 && !isSettled) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(isSettled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await promise.then(settle, settle)
}
