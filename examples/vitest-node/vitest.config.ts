import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/shared-mock.ts',
    // Each test has a key, and so a world, of its own; so even those of one file can run side by side.
    sequence: { concurrent: true },
    // No test is about speed, and build machines are slow at times.
    testTimeout: 60_000,
  },
})
