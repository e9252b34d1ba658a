import { afterAll, onTestFinished } from 'vitest'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { clientOf, freshKey } from './service.ts'

/** Starts a mock on a free port, which is closed when the test ends. Returns it with a client of it, its warnings and its faults. */
export async function started(options: StartOptions = {}, key = freshKey()) {
  const [warnings, faults] = [[] as string[], [] as unknown[]]
  const mock = await startMock({
    ...{ graceMs: 100, onFault: (error) => faults.push(error), onWarning: (text) => warnings.push(text) },
    ...options,
  })
  onTestFinished(() => mock.close())
  return { mock, port: Number(new URL(mock.url).port), warnings, faults, ...clientOf(mock, key) }
}

/** Starts a mock for all tests of a file. */
export async function sharedMock(options: StartOptions = {}): Promise<RunningMock> {
  const mock = await startMock({ graceMs: 100, ...options })
  afterAll(() => mock.close())
  return mock
}
