/**
 * Packs the package and checks it as a user gets it: runs publint and are-the-types-wrong on the archive, then installs it in
 * an empty folder with the oldest and the newest supported versions of MSW, and compiles and runs a consumer there. Runs the
 * collections of requests with Newman and Bruno. Needs the npm registry.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const scratch = mkdtempSync(join(tmpdir(), 'countersign-package-'))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const supportsMsw3 = major > 22 || (major === 22 && minor >= 12)

/** The environment without npm's own variables, which would configure the installation under test. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

/** Runs a command and returns its output. Throws with all of its output if it fails. */
function sh(command: string, args: readonly string[], cwd = scratch): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr, status, signal } = error as Record<'stdout' | 'stderr' | 'status' | 'signal', unknown>
    throw new Error(`\`${command} ${args.join(' ')}\` ended with ${status ?? signal}. It printed:\n${stdout}${stderr}`)
  }
}

/** Returns the path of a Node that MSW 3 supports: this one, or Node 24 from the registry. */
function nodeForMsw3(folder: string): string {
  if (supportsMsw3) return process.execPath
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  sh('npm', ['install', '--no-save', '--no-audit', '--no-fund', `${name}@24`], folder)
  return join(folder, 'node_modules', name, 'bin/node')
}

/** Installs the archive from the project's own folder beside a version of MSW, and compiles and runs the consumer. Returns its folder. */
function tryInstallation(archive: string, msw: string): string {
  const folder = mkdtempSync(join(scratch, 'consumer-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  mkdirSync(join(folder, 'vendor'))
  copyFileSync(archive, join(folder, 'vendor', basename(archive)))
  sh('npm', ['install', '--no-audit', '--no-fund', `./vendor/${basename(archive)}`, `msw@${msw}`], folder)
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
  return folder
}

/** Installs one of the consumers again as CI does: from its lock file, with an empty cache. */
function tryCleanInstallation(consumer: string): void {
  sh('npm', ['ci', '--no-audit', '--no-fund', '--cache', join(scratch, 'cache')], consumer)
  process.stdout.write('npm ci installs the package from vendor/\n')
}

/** Runs the collections of the documented flow against the mock of one of the consumers, with the tools they are for. */
function tryCollections(consumer: string): void {
  const countersign = join(consumer, 'node_modules/.bin/countersign')
  const collections = join(root, 'examples/collections')
  const options = '--env-var baseUrl="$COUNTERSIGN_URL"'
  for (const command of [
    `npx -y newman@6.2.1 run postman.json ${options}`,
    `cd bruno && npx -y @usebruno/cli@2.15.1 run --env mock ${options}`,
  ]) {
    const printed = sh(countersign, ['mock', '--port', '0', '--quiet', '--', 'sh', '-c', command], collections)
    // A tool that finds no request succeeds too.
    if (!printed.includes('read-workflow: answers 200'))
      throw new Error(`\`${command}\` did not follow the flow. It printed:\n${printed}`)
  }
  process.stdout.write('Newman and Bruno follow the flow\n')
}

try {
  sh('npm', ['pack', '--pack-destination', scratch], root)
  const archive = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '')
  sh('npx', ['-y', 'publint@0.3.25', 'run', archive, '--strict'])
  sh('npx', [
    '-y',
    '@arethetypeswrong/cli@0.18.5',
    archive,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'openapi.yaml',
  ])
  process.stdout.write('publint and are-the-types-wrong found no problems\n')
  const [consumer = ''] = ['2.10.0', '2', '3'].map((msw) => tryInstallation(archive, msw))
  tryCleanInstallation(consumer)
  tryCollections(consumer)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
