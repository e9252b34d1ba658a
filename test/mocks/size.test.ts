import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const most = 60 * 1024

test('the handlers have at most 60 kB until a scenario is loaded', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: { handlers: fileURLToPath(new URL('../../mocks/handlers.ts', import.meta.url)) },
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['msw'],
    metafile: true,
    write: false,
  })
  const outputs = Object.entries(metafile.outputs)
  const isLoadedAtOnce = (path: string): string[] => {
    const imports = metafile.outputs[path]?.imports ?? []
    const files = imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    return [path, ...files.flatMap((file) => isLoadedAtOnce(file.path))]
  }
  const [entry = ''] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('mocks/handlers.ts')) ?? []
  const names = isLoadedAtOnce(entry).map((path) => path.split('/').at(-1))
  const loaded = outputFiles.filter(({ path }) => names.includes(path.split('/').at(-1)))
  const bytes = loaded.reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(most)
})
