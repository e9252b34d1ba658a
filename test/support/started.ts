import { onTestFinished } from 'vitest'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { clientOf, freshKey } from './service.ts'

/** Starts a mock on a free port, which is closed when the test ends. Returns it with a client of it. */
export async function started(options: StartOptions = {}, key = freshKey()) {
  const mock = await startMock({ graceMs: 100, ...options })
  onTestFinished(() => mock.close())
  return { mock, port: Number(new URL(mock.url).port), ...clientOf(mock, key) }
}
