import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ClientError } from '../../src/client/error.ts'
import { retry } from '../../src/client/retry.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const passing = new ClientError('network-error', 'The service cannot be reached. Try again.')

test('each retry waits twice as long, and the last failure is reported', async () => {
  const begun = Date.now()
  const tried: number[] = []
  const fails = async () => {
    tried.push(Date.now() - begun)
    throw passing
  }
  const outcome = retry(fails, { attempts: 4, delayMs: 100 }).catch((error) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(passing)
  expect(tried).toEqual([0, 100, 300, 700])
})
