import { configDefaults, defineConfig } from 'vitest/config'
import { findChromium } from './test/support/chromium.ts'

export default defineConfig({
  test: {
    projects: [{ extends: true, test: { name: 'countersign' } }, 'examples/vitest-node'],
    include: ['test/**/*.test.ts', 'conformance/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...withoutChromium()],
    sequence: { shuffle: true },
    maxWorkers: 2,
    // Tests share no state but what they make, so modules need loading once for each worker.
    isolate: false,
    // Machines are shared and slow at times; no test of what the mock does is about speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
  },
})

/** Tests to leave out where there is no browser; on CI a missing one is a failure. */
function withoutChromium(): string[] {
  if (findChromium()) return []
  const how = 'install it (Debian: apt-get install chromium) or set CHROMIUM to its path'
  if (process.env.CI === 'true')
    throw new Error(`Failed to run the browser tests: because Chromium is missing; ${how}.`)
  process.stderr.write(`The browser tests are left out, since Chromium is missing: ${how}.\n`)
  return ['test/browser/**']
}
