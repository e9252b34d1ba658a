import { defineConfig } from 'vitest/config'

export default defineConfig({
  // No test measures speed, and build machines may be slow.
  test: { testTimeout: 60_000, setupFiles: 'test/record-reads.ts' },
})
