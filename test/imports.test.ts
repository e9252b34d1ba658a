import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each room may import from, beside itself; the first pattern that a file matches counts. */
const rules: [room: string, mayImport: RegExp][] = [
  ['src/contract/', /^src\/contract\//],
  ['src/domain/', /^src\/domain\//],
  ['src/world/', /^src\/(world|domain)\//],
  ['src/http/', /^src\/(http|world|domain|contract)\//],
  ['src/mock.ts', /^(src\/((http|world|domain)\/|version\.gen\.ts$)|mocks\/scenarios\/)/],
  ['src/types.ts', /^src\/contract\//],
  ['src/client/', /^src\/(client\/|contract\/types\.gen\.ts$)/],
  ['src/index.ts', /^(src\/(mock\.ts$|http\/steering\.ts$|world\/)|mocks\/scenarios\/names\.ts$)/],
  ['mocks/scenarios/', /^(mocks\/scenarios\/|src\/world\/)/],
  ['mocks/', /^(mocks\/|src\/index\.ts$)/],
  ['src/node/', /^src\/(node\/|http\/|world\/|mock\.ts)/],
  ['src/cli/', /^(src\/(cli\/|node\/|http\/|world\/|mock\.ts|version\.gen\.ts)|conformance\/|mocks\/)/],
  ['conformance/checks/', /^(conformance\/|src\/contract\/operations\.ts)/],
  ['conformance/selftest/', /^(conformance\/|src\/(contract\/|index\.ts$))/],
  ['conformance/', /^(conformance\/|src\/contract\/)/],
]

/** Packages that a room may use; what is not listed may use none, and no file that a browser loads uses Node. */
const packages: [room: string, may: RegExp][] = [
  ['src/world/', /^@noble\/hashes\//],
  ['src/mock.ts', /^@noble\/hashes\//],
  ['src/node/', /^node:/],
  ['src/cli/', /^(node:|commander$)/],
  ['conformance/report/write.ts', /^node:/],
  ['conformance/selftest/', /^(node:|commander$)/],
  ['conformance/vitest.ts', /^vitest$/],
  ['conformance/', /^openapi-fetch$/],
  ['mocks/scenarios/', /^@faker-js\/faker/],
  ['mocks/', /^msw$/],
  ['src/client/', /^openapi-fetch$/],
]

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function importsOf(file: string): { name: string; path?: string }[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'|^import '([^']+)'/gm)].map((match) => {
    const name = match[1] ?? match[2] ?? ''
    return name.startsWith('.') ? { name, path: posix.join(dirname(file), name) } : { name }
  })
}

const files = [...sources('src'), ...sources('conformance'), ...sources('mocks')]

test('every source file belongs to a room', () => {
  for (const file of files.filter((name) => name !== 'src/version.gen.ts')) {
    expect(
      rules.some(([room]) => file.startsWith(room)),
      file,
    ).toBe(true)
  }
})

test.each(files)('%s imports only what its room may', (file) => {
  const allowed = rules.find(([room]) => file.startsWith(room))?.[1]
  const allowedPackages = packages.find(([room]) => file.startsWith(room))?.[1]
  for (const { name, path } of importsOf(file)) {
    if (path) expect(path).toMatch(allowed ?? /^$/)
    else expect(name).toMatch(allowedPackages ?? /^$/)
  }
})
