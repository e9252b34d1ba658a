import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'conformance/**/*.test.ts'],
    sequence: { shuffle: true },
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
  },
})
