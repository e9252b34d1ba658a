import { startMock } from 'countersign/node'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    readonly mockUrl: string
  }
}

/** Starts one mock for all test files. Its clock is stopped until a test advances the clock of its own world. */
export default async function sharedMock({ provide }: TestProject) {
  const mock = await startMock({ port: 0, clockSpeed: 0 })
  provide('mockUrl', mock.url)
  return () => mock.close()
}
