import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/shared-mock.ts',
    // Each test has its own key and so its own world, so even the tests of one file can run in parallel.
    sequence: { concurrent: true },
    // No test measures speed, and build machines may be slow.
    testTimeout: 60_000,
  },
})
