import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { nonEmpty } from './support/non-empty.ts'

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const root = new URL('..', import.meta.url).pathname

/**
 * Returns the size of an entry point in a browser, in bytes after gzip. Dynamic imports, such as scenarios and the names that they
 * invent, do not count. Throws if it imports a module of Node.
 */
async function browserBytes(entry: string, external: readonly string[] = []): Promise<number> {
  const entryPoint: string = exports[entry].default
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: [...external],
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const needed = Object.keys(metafile.outputs).filter(
    (path) => metafile.outputs[path]?.entryPoint === entryPoint.slice(2),
  )
  for (const path of needed) {
    const { imports = [] } = metafile.outputs[path] ?? {}
    needed.push(
      ...imports.flatMap(({ path, kind }) => (kind === 'import-statement' && !needed.includes(path) ? path : [])),
    )
  }
  return outputFiles
    .filter(({ path }) => needed.includes(path.slice(root.length)))
    .reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0)
}

test.each([
  ['.', 56_000],
  ['./msw', 56_000],
  ['./client', 8_000],
] as const)('%s runs in a browser, and weighs less than %i bytes there', async (entry, most) => {
  const bytes = await browserBytes(entry, ['msw'])
  process.stdout.write(`countersign${entry.slice(1)} in a browser: ${(bytes / 1000).toFixed(1)} kB gzip\n`)
  expect(bytes).toBeGreaterThan(2000)
  expect(bytes).toBeLessThan(most)
})

test('no entry point needs the types of a package that only PostgreSQL or S3 needs', () => {
  const entries = Object.values<string | { types: string }>(exports)
  const declared = new Set(entries.flatMap((entry) => (typeof entry === 'string' ? [] : join(root, entry.types))))
  const packages = new Set<string>()
  for (const file of declared) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) declared.add(join(file, '..', name.replace(/\.ts$/, '.d.ts')))
      else packages.add(name)
    }
  }
  expect([...packages]).toContain('openapi-fetch')
  expect([...packages].filter((name) => /^(aws4|pg)/.test(name))).toEqual([])
})

test('the build reads no source outside the folders whose files it compares', () => {
  const maps = readdirSync(`${root}dist`).filter((name) => name.endsWith('.map'))
  const sources = nonEmpty(maps).flatMap((name) => JSON.parse(readFileSync(`${root}dist/${name}`, 'utf8')).sources)
  expect(nonEmpty(sources).filter((source) => !/^\.\.\/(cli|src|mocks|conformance|scripts)\//.test(source))).toEqual([])
})

test('the entry point for Node would fail as one for browsers', async () => {
  await expect(browserBytes('./node')).rejects.toThrow(/Could not resolve \\?"node:/)
})

test.each(nonEmpty(Object.keys(exports)))('%s is where the package says', (entry) => {
  for (const path of nonEmpty(Object.values(typeof exports[entry] === 'string' ? [exports[entry]] : exports[entry]))) {
    expect(readFileSync(`${root}${path}`).byteLength).toBeGreaterThan(0)
  }
})
