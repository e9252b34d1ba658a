/** Bundles the entry points into `dist`, without the dependencies, and builds the documentation beside them. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildDocs } from './docs/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// Keep the type declarations: the compiler rewrites only those that changed.
const old = existsSync(`${root}/dist`) ? (await readdir(`${root}/dist`)).filter((name) => name !== 'types') : []
await Promise.all(old.map((name) => rm(`${root}/dist/${name}`, { recursive: true })))
await build({
  absWorkingDir: root,
  entryPoints: {
    index: 'src/index.ts',
    node: 'src/node/index.ts',
    msw: 'mocks/handlers.ts',
    client: 'src/client/index.ts',
    'client-node': 'src/client/node.ts',
    vitest: 'conformance/run/vitest.ts',
    'vitest-node': 'conformance/run/vitest-node.ts',
    types: 'src/types.ts',
    'cli/main': 'src/cli/start.ts',
    'cli/run-worker': 'src/cli/run-worker.ts',
    'cli/learn-worker': 'src/cli/learn-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20.19',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
await buildDocs(`${root}/dist/docs`)
