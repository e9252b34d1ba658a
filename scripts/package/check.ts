/**
 * Packs the package and looks at it as others see it: publint and are-the-types-wrong on the archive, then an installation in
 * an empty folder with each version of MSW at the ends of the range, where a consumer is compiled and run. It asks the npm
 * registry.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const scratch = mkdtempSync(join(tmpdir(), 'countersign-package-'))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const takesMsw3 = major > 22 || (major === 22 && minor >= 12)

/** Without what npm tells the scripts of this package of its own settings. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

/** Runs a command, and throws with everything it printed if it fails. */
function sh(command: string, args: readonly string[], cwd = scratch): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr, status, signal } = error as Record<'stdout' | 'stderr' | 'status' | 'signal', unknown>
    throw new Error(
      `Failed to run ${command} ${args.join(' ')}: because it ended with ${status ?? signal}\n${stdout}${stderr}`,
    )
  }
}

/** A Node that MSW 3 runs on: this one, or else one that the registry has. */
function nodeForMsw3(folder: string): string {
  if (takesMsw3) return process.execPath
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  sh('npm', ['install', '--no-save', '--no-audit', '--no-fund', `${name}@24`], folder)
  return join(folder, 'node_modules', name, 'bin/node')
}

function installed(archive: string, msw: string): void {
  const folder = mkdtempSync(join(scratch, 'consumer-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  sh('npm', ['install', '--no-audit', '--no-fund', archive, `msw@${msw}`], folder)
  const node = msw.startsWith('3') ? nodeForMsw3(folder) : process.execPath
  copyFileSync(join(root, 'scripts/package/consumer.ts'), join(folder, 'consumer.ts'))
  const strict = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--outDir', 'out']
  sh(
    join(bin, 'tsc'),
    [...strict, '--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), 'consumer.ts'],
    folder,
  )
  const printed = sh(node, ['out/consumer.js'], folder)
  process.stdout.write(`MSW ${msw} on Node ${sh(node, ['--version']).trim()}\n${printed}`)
}

try {
  sh('npm', ['pack', '--pack-destination', scratch], root)
  const [name = ''] = sh('ls', [])
    .split('\n')
    .filter((file) => file.endsWith('.tgz'))
  const archive = join(scratch, name)
  sh(join(bin, 'publint'), ['run', archive, '--strict'])
  sh(join(bin, 'attw'), [archive, '--profile', 'esm-only', '--exclude-entrypoints', 'openapi.yaml'])
  process.stdout.write('publint and are-the-types-wrong find nothing\n')
  for (const msw of ['2.10.0', '2', '3']) installed(archive, msw)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
