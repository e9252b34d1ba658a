import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'conformance/**/*.test.ts'],
    sequence: { shuffle: true },
    maxWorkers: 2,
    // Tests share no state but what they make, so modules need loading once for each worker.
    isolate: false,
    // Machines are shared and slow at times; no test is about speed.
    testTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
  },
})
