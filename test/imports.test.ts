import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files that each folder may import. For each file, the first matching row counts. */
const rules: [folder: string, mayImport: RegExp][] = [
  ['src/checksums/', /^src\/checksums\//],
  ['src/contract/', /^src\/contract\//],
  ['src/domain/approval/', /^src\/domain\/(approval\/|[^/]+$)/],
  ['src/domain/uploads/', /^src\/domain\/(uploads\/|[^/]+$)/],
  ['src/domain/routing/', /^src\/domain\/(routing\/|approval\/|[^/]+$)/],
  ['src/domain/analytics/', /^src\/domain\/(analytics\/|approval\/|[^/]+$)/],
  ['src/domain/advice/', /^src\/domain\/(advice\/|analytics\/|approval\/|[^/]+$)/],
  ['src/domain/', /^src\/domain\/[^/]+$/],
  ['src/world/', /^src\/(world|domain|checksums)\//],
  ['src/steering/', /^src\/(steering|world|domain)\//],
  ['src/wire/', /^src\/((wire|session|world|domain|contract)\/|known-options\.ts$)/],
  ['src/http/storage/', /^src\/(http\/storage|wire|world|domain|contract|checksums)\//],
  ['src/http/like/', /^src\/(http\/(like|service)|wire|profile|world|domain|contract)\//],
  ['src/http/service/', /^src\/(http\/(service|storage)|wire|world|domain|contract)\//],
  ['src/http/admin/', /^src\/(http\/(admin|service)|wire|session|steering|world|domain|contract)\//],
  ['src/http/', /^src\/(http|wire|profile|session|world|domain|contract)\//],
  ['src/profile/', /^src\/(profile|contract)\//],
  ['src/session/', /^src\/(session|contract|checksums)\//],
  [
    'src/learn/',
    /^(src\/((learn|profile|session|http|world|domain|contract)\/|(mock|version\.gen)\.ts$)|conformance\/(learning|replay|session|run|report|wire|reading)\/)/,
  ],
  [
    'src/mock.ts',
    /^(src\/((http|wire|profile|session|steering|world|domain|contract)\/|(version\.gen|known-options)\.ts$)|mocks\/scenarios\/)/,
  ],
  ['src/shared-mock.ts', /^(src\/(mock\.ts$|world\/)|mocks\/scenarios\/)/],
  ['src/known-options.ts', /^$/],
  ['src/types.ts', /^src\/contract\//],
  ['src/reads/', /^src\/((reads|contract)\/|known-options\.ts$)/],
  ['src/connect/', /^src\/connect\//],
  ['src/console/', /^src\/(console|contract)\//],
  ['src/client/node.ts', /^src\/(client|connect)\//],
  ['src/client/', /^src\/(client\/|contract\/types\.gen\.ts$|known-options\.ts$)/],
  [
    'src/index.ts',
    /^(src\/(mock\.ts$|profile\/|session\/|http\/(service|admin)\/|wire\/|steering\/|world\/)|mocks\/scenarios\/names\.ts$)/,
  ],
  ['mocks/scenarios/', /^(mocks\/scenarios\/|src\/world\/)/],
  ['mocks/', /^(mocks\/|src\/(index|mock|known-options|profile\/upload-start|world\/secret)\.ts$)/],
  [
    'src/node/upstream',
    /^src\/(node\/(upstream|journal\/errors\.ts$)|(contract|http|wire|profile|session)\/|world\/presign\.ts$)/,
  ],
  ['src/node/s3/', /^src\/(node|http|world|session)\//],
  ['src/node/', /^src\/(node\/|http\/|wire\/|world\/|mock\.ts|shared-mock\.ts|known-options\.ts)/],
  [
    'cli/',
    /^(cli|conformance|mocks)\/|^src\/((learn|session|reads|profile|connect|node|http|wire|world|contract)\/|(mock|version\.gen)\.ts$)/,
  ],
  [
    'conformance/learning/',
    /^(conformance\/(learning|model|session|flow|wire|reading|catalogue)\/|src\/(contract|profile|session)\/)/,
  ],
  ['conformance/reads/', /^(conformance\/(reads|wire|reading|catalogue)\/|src\/(contract|profile|reads)\/)/],
  ['conformance/session/', /^(conformance\/(session|wire|reading)\/|src\/(contract|session)\/)/],
  [
    'conformance/explore/',
    /^(conformance\/(explore|replay|learning|flow|wire|reading)\/|src\/(contract|profile|session)\/)/,
  ],
  [
    'conformance/replay/',
    /^(conformance\/(replay|session|learning|run|report|judging|flow|reads|wire|reading|catalogue)\/|src\/(contract|profile|reads|session)\/)/,
  ],
  ['conformance/catalogue/', /^conformance\/catalogue\//],
  ['conformance/reading/', /^(conformance\/(reading|catalogue)\/|src\/(contract|profile)\/)/],
  ['conformance/wire/', /^(conformance\/(wire|reading|catalogue)\/|src\/(contract|session)\/)/],
  ['conformance/evidence/', /^(conformance\/(evidence|wire|reading|catalogue)\/|src\/(contract|profile|session)\/)/],
  ['conformance/model/', /^(conformance\/(model|evidence|wire|reading|catalogue)\/|src\/(contract|profile|session)\/)/],
  ['conformance/flow/', /^(conformance\/(flow|evidence|wire|reading)\/|src\/contract\/)/],
  ['conformance/diagnosis/', /^(conformance\/(diagnosis|flow|evidence|wire|reading|catalogue)\/|src\/contract\/)/],
  [
    'conformance/judging/',
    /^(conformance\/(judging|diagnosis|model|evidence|wire|reading|catalogue)\/|src\/(contract\/(operations|call-at|validators)|session\/digests)\.)/,
  ],
  [
    'conformance/report/',
    /^(conformance\/(report|judging|reads|wire|reading|catalogue)\/|src\/(contract|profile|reads)\/)/,
  ],
  ['conformance/run/vitest-node.ts', /^(conformance\/run\/|src\/connect\/)/],
  [
    'conformance/run/',
    /^(conformance\/(run|report|judging|diagnosis|flow|evidence|wire|reading|catalogue)\/|src\/(profile|session)\/)/,
  ],
  ['conformance/selftest/', /^(conformance\/|src\/((contract|profile|learn)\/|(index|mock)\.ts$))/],
]

/** The packages that each folder may import. Other folders may import none, and no file for browsers may import Node. */
const packages: [folder: string, may: RegExp][] = [
  ['src/checksums/', /^@noble\/hashes\//],
  ['src/world/', /^@noble\/hashes\//],
  ['src/mock.ts', /^@noble\/hashes\//],
  ['src/http/storage/', /^@noble\/hashes\//],
  ['src/node/postgres/', /^(node:|pg$)/],
  ['src/node/s3/', /^(node:|aws4$)/],
  ['src/node/', /^node:/],
  ['src/connect/', /^(node:|undici$)/],
  ['src/learn/contract.ts', /^(node:|yaml$)/],
  ['src/reads/vitest.ts', /^(node:|vitest$)/],
  ['cli/draw-sessions.ts', /^fast-check$/],
  ['cli/agents/mcp-server.ts', /^(@modelcontextprotocol\/server|zod)(\/|$)/],
  ['cli/', /^(node:|commander$)/],
  ['conformance/report/write', /^node:/],
  ['src/session/', /^@noble\/hashes\//],
  ['conformance/selftest/', /^(node:|commander$)/],
  ['conformance/run/vitest.ts', /^vitest$/],
  ['mocks/scenarios/', /^@faker-js\/faker/],
  ['mocks/persistence/', /^idb-keyval$/],
  ['mocks/', /^msw$/],
  ['src/client/', /^openapi-fetch$/],
  ['src/console/', /^preact(\/hooks)?$/],
]

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** Removes comments, whose examples import what their readers do, and texts in backquotes. */
function codeOf(text: string): string {
  return text.replaceAll(/^\s*(\/\*)?\*.*$|`[^`]*`/gm, '')
}

function importsOf(file: string): { name: string; path?: string }[] {
  const text = codeOf(readFileSync(join(root, file), 'utf8'))
  return [...text.matchAll(/(?:from\s|import\()\s*'([^']+)'|^import '([^']+)'/gm)].map((match) => {
    const name = match[1] ?? match[2] ?? ''
    return name.startsWith('.') ? { name, path: posix.join(dirname(file), name) } : { name }
  })
}

const files = [...sources('cli'), ...sources('src'), ...sources('conformance'), ...sources('mocks')]
/** Scripts have no rules, but must not form cycles either. */
const scripts = sources('scripts')

test('every source file belongs to a folder with rules', () => {
  const homeless = nonEmpty(files).filter((file) => !rules.some(([folder]) => file.startsWith(folder)))
  expect(homeless).toEqual(['src/version.gen.ts'])
})

test('files import only what their folder may import', () => {
  const foreign = nonEmpty(files).flatMap((file) => {
    const allowed = rules.find(([folder]) => file.startsWith(folder))?.[1]
    const allowedPackages = packages.find(([folder]) => file.startsWith(folder))?.[1]
    return importsOf(file)
      .filter(({ name, path }) => (path ? !allowed?.test(path) : !allowedPackages?.test(name)))
      .map(({ name }) => `${file}: ${name}`)
  })
  expect(foreign).toEqual([])
})

test('no files import each other in a circle', () => {
  const imports = new Map(
    [...files, ...scripts].map((file) => [file, importsOf(file).flatMap(({ path }) => path ?? [])]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '))
    if (done.has(file) || way.includes(file)) return
    for (const other of imports.get(file) ?? []) visit(other, [...way, file])
    done.add(file)
  }
  for (const file of nonEmpty([...files, ...scripts])) visit(file, [])
  expect(circles).toEqual([])
})

test('only the command line names flags', () => {
  const flags = new Set(
    nonEmpty(sources('cli')).flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/--[a-z]+(-[a-z]+)*/g) ?? [],
    ),
  )
  expect(flags).toContain('--max-memory')
  // These are a command of their own, and commands for other programs.
  const others = /^(cli\/|conformance\/selftest\/|conformance\/report\/curl\.ts)/
  const named = files
    .filter((file) => !others.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return (text.match(/--[a-z]+(-[a-z]+)*/g) ?? [])
        .filter((word) => flags.has(word))
        .map((word) => `${file}: ${word}`)
    })
  expect(named).toEqual([])
})

test('no error of the suite or the mock is caught blindly', () => {
  const blind = /\.catch\(\(\) =>|catch \{\s*\}/
  expect(nonEmpty(files).filter((file) => blind.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
