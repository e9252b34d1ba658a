/**
 * Makes each mistake of breaks.yaml alone in a copy of the last commit, and prints which test noticed it: a quick one of the folder
 * of its file or related to the file, a slow one of its room, or a mutant of the gate. `npm run breaks -- src/domain` tries those of
 * some folders. Exits 1 if one was not noticed, 3 if a row does not fit its file.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readYaml } from './contract.ts'
import { type FailedTest, readTestResults } from './test-results.ts'

interface Break {
  readonly file: string
  readonly from: string
  readonly to: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** How long the tests of one room may take, in milliseconds. */
const longest = 1_800_000

const folders = process.argv.slice(2)
const all: readonly Break[] = readYaml('scripts/breaks.yaml')
const rows = all.filter(({ file }) => folders.length === 0 || folders.some((folder) => file.startsWith(folder)))
const misfits = rows.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2)
for (const { file, from } of misfits) process.stderr.write(`${file} does not have '${from}' once. Correct the row.\n`)
process.exitCode = misfits.length > 0 || rows.length === 0 ? 3 : tryAll()

function tryAll(): number {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-breaks-'))
  const copy = join(scratch, 'copy')
  execFileSync('git', ['clone', '--quiet', '--shared', root, copy])
  try {
    // Each package by itself, so that the project's own name leads to the copy.
    mkdirSync(join(copy, 'node_modules'))
    for (const name of readdirSync(join(root, 'node_modules'))) {
      const from = name === 'countersign' ? copy : join(root, 'node_modules', name)
      symlinkSync(from, join(copy, 'node_modules', name))
    }
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
    const noticed = rows.filter((row) => isNoticed(copy, row)).length
    process.stdout.write(`${noticed} of ${rows.length} were noticed.\n`)
    return noticed === rows.length ? 0 : 1
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Makes a mistake, runs the related tests, takes the mistake back, and prints what came of it. */
function isNoticed(copy: string, { file, from, to }: Break): boolean {
  const path = join(copy, file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    sound.replace(from, () => to),
  )
  const failed = firstFailureOf(copy, file)
  writeFileSync(path, sound)
  const isSound = !failed || failed.file === '' || !firstFailure(copy, failed.project, ['run', failed.file])
  const outcome = failed ? `${isSound ? 'noticed' : 'FAILS WITHOUT IT'}: ${failed.title}` : 'NOT NOTICED'
  process.stdout.write(`${file}: '${from}' as '${to}'\n  ${outcome}\n`)
  return failed !== undefined && isSound
}

/** The quick tests in the folder of the file are few, and notice most mistakes. The slow tests of its room, and all mutants, come last. */
function firstFailureOf(copy: string, file: string): Failed | undefined {
  const near = join('test', dirname(file).replace(/^src/, ''))
  const room = near.split('/').slice(0, 2).join('/')
  return (
    firstFailure(copy, 'quick', ['run', `${near}/`]) ??
    firstFailure(copy, 'quick', ['related', file]) ??
    firstFailure(copy, 'slow', ['run', `${room}/`]) ??
    (file.startsWith('conformance/')
      ? firstFailure(copy, 'slow', ['run', 'gate-mutants'], { GATE_SAMPLE: 'deep' })
      : undefined)
  )
}

type Project = 'quick' | 'slow'

type Failed = Omit<FailedTest, 'message'> & { readonly project: Project }

/** Runs tests until one fails. Returns it, or undefined if all pass or there are none. */
function firstFailure(copy: string, project: Project, args: readonly string[], more = {}): Failed | undefined {
  const results = join(copy, '..', 'results.json')
  writeFileSync(results, '{"testResults":[]}')
  const vitest = ['node_modules/vitest/vitest.mjs', ...args, '--run', `--project=${project}`, '--bail=1']
  // On a busy machine, no test may fail because it is slow.
  const limits = ['--maxWorkers=1', '--testTimeout=300000', '--hookTimeout=300000']
  const report = ['--passWithNoTests', '--reporter=json', `--outputFile=${results}`]
  // Slow tests start what is built.
  if (project === 'slow') execFileSync('npm', ['run', '-s', 'build'], { cwd: copy })
  const { status } = spawnSync(process.execPath, [...vitest, ...limits, ...report], {
    cwd: copy,
    timeout: longest,
    env: { ...process.env, ...more },
  })
  if (status === 0) return undefined
  const [failed] = readTestResults(results)?.failures ?? []
  if (failed) return { file: failed.file, title: failed.title || (failed.message.split('\n')[0] ?? ''), project }
  return { file: '', title: status === null ? 'the tests did not end' : 'the tests could not run', project }
}
