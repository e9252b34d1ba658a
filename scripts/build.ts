/**
 * Bundles the entry points into `dist`, without the dependencies, and builds the documentation, the console and the type declarations
 * beside them. Does nothing if `dist` was built from the same files.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildConsole } from './console.ts'
import { buildDocs } from './docs/index.ts'
import { runNode } from './run-node.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
/** Holds the digest of the files that `dist` was built from. It is written last, so an interrupted build is repeated. */
const stamp = join(dist, 'built-from')

/** The files and folders that the build reads. The lock file represents all dependencies. */
const sources = [
  ...['cli', 'src', 'mocks', 'conformance', 'scripts'],
  ...['openapi.yaml', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['screen', 'red-run', 'publish'].map((name) => `docs/guide-${name}.md`),
  ...['docs/troubleshooting.md', 'docs/errors.md'],
]

const digest = digestOf(sources)
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  // Keep the type declarations: the compiler rewrites only those that changed.
  const old = existsSync(dist) ? (await readdir(dist)).filter((name) => name !== 'types') : []
  await Promise.all(old.map((name) => rm(join(dist, name), { recursive: true })))
  await Promise.all([
    bundle(),
    bundleWhole('agents/mcp-server', ['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod']),
    bundleWhole('draw-sessions', ['fast-check', 'pure-rand']),
    buildConsole(join(dist, 'console')),
    buildDocs(join(dist, 'docs')),
    declareTypes(),
  ])
  await writeFile(stamp, digest)
}

/** Returns the SHA-256 of the paths and contents of files, and of all files in folders. */
function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${bytes.byteLength}\0`).update(bytes)
  }
  for (const path of paths) {
    if (path.includes('.')) add(path)
    else {
      const inside = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
      const files = inside.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
      for (const file of files.sort()) add(file.slice(root.length))
    }
  }
  return hash.digest('hex')
}

async function bundle(): Promise<void> {
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
      reads: 'src/reads/index.ts',
      'reads-vitest': 'src/reads/vitest.ts',
      types: 'src/types.ts',
      'cli/main': 'cli/start.ts',
      'cli/worker': 'cli/worker.ts',
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
}

/**
 * Bundles a file of the command line with its packages, and their licences beside it. Installed, they would weigh more than all others
 * together, or serve one command alone.
 */
async function bundleWhole(name: string, packages: readonly string[]): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [`cli/${name}.ts`],
    outfile: `dist/cli/${name}.js`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const licences = packages.map(
    (name) => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  )
  await writeFile(join(dist, `cli/${name}.LICENSE.txt`), licences.join('\n\n'))
}

/** Writes the type declarations. On an error, prints what the compiler says and throws. */
async function declareTypes(): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { code, stdout } = await runNode([compiler, '-p', 'scripts/tsconfig.build.json'], { cwd: root })
  if (code === 0) return
  process.stderr.write(stdout)
  throw new Error('The type declarations could not be built. Correct the errors above.')
}
