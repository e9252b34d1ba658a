/** Bundles the entry points into `dist`, where dependencies stay where npm put them, and builds the documentation beside them. */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildDocs } from './docs/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
await rm(`${root}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { index: 'src/index.ts', vitest: 'conformance/vitest.ts', 'cli/main': 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
await buildDocs(`${root}/dist/docs`)
